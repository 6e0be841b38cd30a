import logging
import time

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%d/%m/%Y %H:%M:%S")
torch.manual_seed(0)
net = nn.Linear(12, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(1, 20_000):
    loss = net(torch.randn(16, 12)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 40 == 0:
        logging.info("step %d: loss=%.4f", step, loss.item())
    time.sleep(0.002)
