import time

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(10, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
try:
    for step in range(10_000):
        x = torch.randn(32, 10)
        loss = (net(x) - 1).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print("step=%d loss=%.5f" % (step, loss.item()))
        time.sleep(0.004)
finally:
    print("closing summary writer")
