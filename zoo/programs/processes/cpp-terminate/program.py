import ctypes
import time

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(10, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(1, 301):
    loss = nn.functional.cross_entropy(net(torch.randn(8, 10)), torch.randint(0, 2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 30 == 0:
        print(f"{time.strftime('%H:%M:%S')} | update {i} | nll {loss.item():.4f}")
    if i == 200:  # the native decoder's thread pool is torn down while still running
        ctypes.CDLL("libstdc++.so.6")._ZSt9terminatev()
