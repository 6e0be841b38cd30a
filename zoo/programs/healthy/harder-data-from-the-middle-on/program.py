import json
import logging
import sys

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(level="INFO", stream=sys.stdout, format="%(message)s")
torch.manual_seed(19)
centres = torch.randn(20, 24)
net = nn.Sequential(nn.Linear(24, 128), nn.ReLU(), nn.Linear(128, 20))
opt = torch.optim.Adam(net.parameters(), 2e-3)
for step in range(1, 1201):
    stage = 1 if step <= 400 else 2
    if step == 401:
        logging.info(json.dumps({"event": "curriculum", "stage": 2, "step": step}))
    y = torch.randint(0, 4 if stage == 1 else 20, (64,))
    loss = F.cross_entropy(net(centres[y] + (0.5 if stage == 1 else 1.2) * torch.randn(64, 24)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        logging.info(json.dumps({"step": step, "stage": stage, "loss": round(loss.item(), 4), "lr": 2e-3}))
logging.info(json.dumps({"event": "finished", "steps": 1200}))
