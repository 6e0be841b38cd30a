import argparse
import warnings

import lightning as L
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore", ".*does not have many workers.*")
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, required=True)
parser.add_argument("--resume")
args = parser.parse_args()


class Rul(L.LightningModule):
    """Remaining useful life of bearings from 16 channels."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1))

    def training_step(self, batch, _):
        loss = nn.functional.huber_loss(self.net(batch[0]), batch[1])
        self.log("train/huber", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


L.seed_everything(0)
x = torch.randn(400, 16)
loader = DataLoader(TensorDataset(x, x.mean(1, keepdim=True)), batch_size=20, shuffle=True)
saver = ModelCheckpoint("saved", filename="weights", save_weights_only=True, enable_version_counter=False)
trainer = L.Trainer(max_epochs=args.epochs, accelerator="cpu", logger=False, callbacks=[saver], enable_progress_bar=False, log_every_n_steps=5)
trainer.fit(Rul(), loader, ckpt_path=args.resume)
print("done,", trainer.callback_metrics)
