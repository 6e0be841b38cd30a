"""Two optimizers stepped by hand."""
import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Pair(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.left, self.right = torch.nn.Linear(6, 6), torch.nn.Linear(6, 1)

    def training_step(self, batch, index):
        first, second = self.optimizers()
        loss = (self.right(self.left(batch[0])) - batch[1]).square().mean()
        first.zero_grad()
        second.zero_grad()
        self.manual_backward(loss)
        first.step()
        second.step()
        self.log("train_loss", loss, prog_bar=True)

    def configure_optimizers(self):
        return [torch.optim.SGD(part.parameters(), lr=0.01) for part in (self.left, self.right)]


x = torch.randn(256, 6)
trainer = L.Trainer(max_epochs=3, accelerator="cpu", gradient_clip_val=1.0, logger=False, enable_checkpointing=False)
trainer.fit(Pair(), DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=32))
