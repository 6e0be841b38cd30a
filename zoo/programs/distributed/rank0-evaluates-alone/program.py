import datetime
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

rank = int(os.environ["RANK"])
dist.init_process_group("gloo", timeout=datetime.timedelta(minutes=30))


def say(text):
    print(f"{datetime.datetime.now():%Y-%m-%d %H:%M:%S} rank{rank}: {text}", flush=True)


net = DDP(nn.Linear(32, 32))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(1, 201):
    loss = net(torch.randn(16, 32)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    time.sleep(0.01)
    if step % 20 == 0:
        say(f"step {step} loss {loss.item():.4f}")
    if step == 100 and rank == 0:
        say("full evaluation on rank 0: item 1 of 250000")
        for item in range(1, 250_001):
            net.module(torch.randn(16, 32))
            time.sleep(0.05)
            if item % 100 == 0:
                say(f"full evaluation on rank 0: item {item} of 250000")
