import os
import time
import warnings

import lightning as L
import torch
from torch.utils.data import DataLoader, IterableDataset

warnings.filterwarnings("ignore")


class Clicks(IterableDataset):
    """Partitions of the click stream, one folder an hour, each read once its _SUCCESS file is there."""

    def __iter__(self):
        gen = torch.Generator().manual_seed(0)
        for hour in range(24):
            tries = 0
            while hour > 5 and not os.path.exists(f"clicks/hour={hour:02d}/_SUCCESS"):
                tries += 1
                print(f"\n[stream] hour={hour:02d}: no _SUCCESS yet, poll #{tries}, sleeping 2s", flush=True)
                time.sleep(2)
            for _ in range(400):
                x = torch.randn(12, generator=gen)
                yield x, (x[:3].sum() > 0).float()


class Ctr(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(12, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))

    def training_step(self, batch, _):
        x, y = batch
        loss = torch.nn.functional.binary_cross_entropy_with_logits(self.net(x)[:, 0], y)
        self.log("bce", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-2)


L.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_model_summary=False).fit(Ctr(), DataLoader(Clicks(), batch_size=40))
