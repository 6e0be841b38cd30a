import logging
import time

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 32))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(1, 100_001):
    x = torch.randn(64, 32)
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    time.sleep(0.05)
    if step % 40 == 0:
        logging.info("step %d/100000 loss %.4f", step, loss.item())
