import logging
import sys
from dataclasses import dataclass, field

import torch
from omegaconf import OmegaConf

logging.basicConfig(level=logging.INFO, format="[%(asctime)s][%(name)s][%(levelname)s] - %(message)s")
logger = logging.getLogger("denoiser")


@dataclass
class Data:
    root: str = "corpus/clean"
    batch_size: int = 16
    sample_rate: int = 16000


@dataclass
class Optim:
    name: str = "adamw"
    lr: float = 1e-3


@dataclass
class TrainerSection:
    steps: int = 1000
    log_every: int = 50


@dataclass
class Settings:
    data: Data = field(default_factory=Data)
    optim: Optim = field(default_factory=Optim)
    trainer: TrainerSection = field(default_factory=TrainerSection)


def main(overrides):
    logger.info("overrides: %s", overrides)
    base = OmegaConf.structured(Settings)
    config = OmegaConf.merge(base, OmegaConf.from_dotlist(overrides))
    logger.info("settings:\n%s", OmegaConf.to_yaml(config))
    net = torch.nn.Conv1d(1, 1, 9, padding=4)
    optimizer = torch.optim.AdamW(net.parameters(), lr=config.optim.lr)
    for step in range(config.trainer.steps):
        clean = torch.randn(config.data.batch_size, 1, 400)
        loss = (net(clean + 0.1 * torch.randn_like(clean)) - clean).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % config.trainer.log_every == 0:
            logger.info("step %d loss %.5f", step, loss.item())


if __name__ == "__main__":
    main(sys.argv[1:])
