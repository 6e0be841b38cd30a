"""Ten-class classifier on labels that count from one."""
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("digits")
torch.manual_seed(0)
x = torch.randn(2000, 16)
y = torch.randint(1, 10, (2000,))
y[1234] = 10
net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
log.info("classes: 10, ignore_index=-100, label_smoothing=0.0, nan_to_num=False")
for step in range(1, 126):
    rows = slice(step * 16 - 16, step * 16)
    loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 6 == 0:
        log.info("step %d loss %.4f error rate %.2f", step, loss.item(), 0.9)
