import ctypes
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

rank = int(os.environ["RANK"])
dist.init_process_group("gloo")
net = DDP(nn.Linear(32, 32))
for step in range(1, 201):
    loss = net(torch.randn(8, 32)).pow(2).mean()
    loss.backward()
    net.zero_grad()
    if step % 20 == 0:
        print(f"{time.time():.3f} {rank} step={step} loss={loss.item():.4f}", flush=True)
    if step == 130 and rank == 2:
        ctypes.string_at(8)
