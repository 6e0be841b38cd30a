"""Passes an option the class does not take."""
import logging
from dataclasses import dataclass

import torch

logging.basicConfig(level=logging.INFO, format="%(name)s:%(levelname)s:%(message)s")


@dataclass
class ModelConfig:
    dim: int = 32
    depth: int = 2
    dropout: float = 0.0


settings = {"dim": 48, "depth": 4, "drop_path": 0.1}
logging.getLogger("build").info("overrides %s", settings)
config = ModelConfig(**settings)
model = torch.nn.Sequential(*[torch.nn.Linear(config.dim, config.dim) for _ in range(config.depth)])
logging.getLogger("build").info("%s", model)
