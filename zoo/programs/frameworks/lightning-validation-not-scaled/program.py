import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.loggers import CSVLogger
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics.classification import MulticlassAccuracy


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(16, 64), torch.nn.ReLU(), torch.nn.Linear(64, 5))
        self.train_acc = MulticlassAccuracy(5, average="micro")
        self.val_acc = MulticlassAccuracy(5, average="micro")

    def training_step(self, batch, _):
        x, y = batch
        out = self.net(x)
        loss = F.cross_entropy(out, y)
        self.train_acc(out, y)
        self.log("train_loss", loss, prog_bar=True, on_step=False, on_epoch=True)
        self.log("train_acc", self.train_acc, prog_bar=True, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        out = self.net(x)
        self.val_acc(out, y)
        self.log("val_loss", F.cross_entropy(out, y), prog_bar=True)
        self.log("val_acc", self.val_acc, prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 3e-3)


L.seed_everything(11)
centres = torch.rand(5, 16) * 255
y = torch.randint(0, 5, (3000,))
x = (centres[y] + 25 * torch.randn(3000, 16)).clamp(0, 255)
order = torch.randperm(16)
train = DataLoader(TensorDataset(x[:2400] / 127.5 - 1, y[:2400]), 64, shuffle=True)
valid = DataLoader(TensorDataset(x[2400:, order], y[2400:]), 64)
trainer = L.Trainer(max_epochs=8, accelerator="cpu", logger=CSVLogger("logs", name=""), enable_checkpointing=False, log_every_n_steps=10)
trainer.fit(Net(), train, valid)
