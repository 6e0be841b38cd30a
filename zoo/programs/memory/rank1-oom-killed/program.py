import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

rank = int(os.environ["RANK"])
dist.init_process_group("gloo")
model = DDP(nn.Linear(200, 20))
opt = torch.optim.SGD(model.parameters(), lr=0.01)
ballast = []
for step in range(1, 2001):
    loss = model(torch.randn(16, 200)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if rank == 1:
        ballast.append(torch.ones(400_000))  # rank 1 also collects samples for the histogram panel
    if step % 25 == 0:
        print(f"{time.strftime('%b %d %H:%M:%S')} rank{rank} step {step} loss {loss.item():.5f}")
    time.sleep(0.004)
