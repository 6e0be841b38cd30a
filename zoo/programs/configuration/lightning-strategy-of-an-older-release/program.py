import logging

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
log = logging.getLogger("segmentation")


class Segmenter(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 2, 1))

    def training_step(self, batch, _):
        image, mask = batch
        return nn.functional.cross_entropy(self.body(image), mask)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=3e-4)


def main():
    L.seed_everything(17)
    config = {"max_epochs": 3, "accelerator": "cpu", "strategy": "ddp_sharded", "devices": 1}
    log.info("trainer settings: %s", config)
    data = TensorDataset(torch.rand(64, 3, 16, 16), torch.randint(0, 2, (64, 16, 16)))
    log.info("train: %d tiles", len(data))
    trainer = L.Trainer(logger=False, enable_checkpointing=False, **config)
    trainer.fit(Segmenter(), DataLoader(data, batch_size=8))


if __name__ == "__main__":
    main()
