"""Metric learning with a distance that can be exactly zero."""
import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Pairs(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 4, bias=False)

    def training_step(self, batch, index):
        a, b = batch
        distance = (self.net(a) - self.net(b)).square().sum(1).sqrt()
        loss = (distance - 1).square().mean()
        print(f"step {self.global_step + 1} loss {loss.item():.4f}", flush=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.01)


L.seed_everything(2)
a, b = torch.randn(800, 4), torch.randn(800, 4)
b[411] = a[411]
trainer = L.Trainer(max_epochs=1, accelerator="cpu", detect_anomaly=True, enable_progress_bar=False, logger=False, enable_checkpointing=False)
trainer.fit(Pairs(), DataLoader(TensorDataset(a, b), batch_size=10))
