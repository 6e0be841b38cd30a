import logging

import lightning as L
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
torch.manual_seed(66)


class Traffic(L.LightningModule):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr
        self.net = torch.nn.Sequential(torch.nn.Linear(30, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))

    def training_step(self, batch, i):
        x, y = batch
        loss = F.smooth_l1_loss(self.net(x)[:, 0], y)
        if self.global_step % 15 == 0:
            print(f"train/huber {loss.item():.4f}  (global_step {self.global_step}, lr {self.optimizers().param_groups[0]['lr']:.4f})", flush=True)
        return loss

    def validation_step(self, batch, i):
        x, y = batch
        self.log("h", F.smooth_l1_loss(self.net(x)[:, 0], y))

    def on_validation_epoch_end(self):
        if not self.trainer.sanity_checking:
            print(f"valid/huber {self.trainer.callback_metrics['h']:.4f}", flush=True)

    def configure_optimizers(self):
        opt = torch.optim.SGD(self.parameters(), self.lr, momentum=0.95)
        return [opt], [{"scheduler": torch.optim.lr_scheduler.LinearLR(opt, 0.01, 1.0, 250), "interval": "step"}]


x = torch.randn(2000, 30)
y = x @ torch.randn(30) + torch.sin(3 * x[:, 0])
load = lambda a, b: DataLoader(TensorDataset(x[a:b], y[a:b]), 32, shuffle=a == 0)
L.Trainer(max_epochs=8, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0).fit(Traffic(0.4), load(0, 1600), load(1600, 2000))
