"""Flattens with a size that was computed for other images."""
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(filename)s %(levelname)s %(message)s")
conv, head = nn.Conv2d(1, 4, 5), nn.Linear(4 * 24 * 24, 10)
for step in range(1, 6):
    x = torch.rand(8, 1, 28 if step < 4 else 32, 28)
    logging.info("batch %d of shape %s", step, tuple(x.shape))
    y = head(conv(x).view(8, 4 * 24 * 24))
    logging.info("step %d mean %.4f", step, y.mean().item())
