import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.loggers import CSVLogger
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics.classification import MulticlassAccuracy

L.seed_everything(4)
centres = torch.randn(5, 16)


class Probe(L.LightningModule):
    def __init__(self):
        super().__init__()
        # stands for features of a pretrained network
        self.backbone = torch.nn.Linear(16, 16).requires_grad_(False)
        self.backbone.weight.data.copy_(torch.eye(16))
        self.head = torch.nn.Linear(16, 5)
        self.head.weight.data.copy_(centres)
        self.acc = MulticlassAccuracy(5, average="micro")

    def training_step(self, batch, _):
        loss = F.cross_entropy(self.head(F.dropout(self.backbone(batch[0]), 0.5)), batch[1])
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, _):
        out = self.head(self.backbone(batch[0]))
        self.acc(out, batch[1])
        self.log("val_loss", F.cross_entropy(out, batch[1]), prog_bar=True)
        self.log("val_acc", self.acc, prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.head.parameters(), 1e-3)


y = torch.randint(0, 5, (2400,))
x = centres[y] + 0.8 * torch.randn(2400, 16)
trainer = L.Trainer(max_epochs=8, accelerator="cpu", logger=CSVLogger("logs", name=""), enable_checkpointing=False, log_every_n_steps=5)
trainer.fit(Probe(), DataLoader(TensorDataset(x[:2000], y[:2000]), 64, shuffle=True), DataLoader(TensorDataset(x[2000:], y[2000:]), 64))
