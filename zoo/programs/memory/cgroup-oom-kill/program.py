#!/usr/bin/env python
import sys
import time

import numpy as np
import torch
from torch import nn

print("python", sys.version.split()[0], "torch", torch.__version__)
torch.manual_seed(5)
net = nn.Linear(1000, 10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
cache = []
for epoch in range(50):
    t0 = time.time()
    total = 0.0
    for _ in range(20):
        batch = np.random.rand(256, 1000)
        cache.append(batch)  # "so that the second epoch is faster"
        x = torch.from_numpy(batch).float()
        loss = nn.functional.cross_entropy(net(x), torch.randint(0, 10, (256,)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"Epoch {epoch:02d}  train_loss={total / 20:.4f}  cached={len(cache)} batches  ({time.time() - t0:.2f}s)")
