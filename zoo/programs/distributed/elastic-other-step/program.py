import os
import signal
import time

import torch
import torch.distributed as dist
from torch import nn

rank, attempt = int(os.environ["RANK"]), int(os.environ["TORCHELASTIC_RESTART_COUNT"])
dist.init_process_group("gloo")
net = nn.Linear(4, 2)
dies = {0: 61, 1: 23, 2: 97}[attempt]
print(f"rank {rank} attempt {attempt}/2", flush=True)
for step in range(1, 200):
    loss = net(torch.randn(4)).sum()
    loss.backward()
    for p in net.parameters():
        dist.all_reduce(p.grad)
        p.grad.zero_()
    if step % 10 == 0:
        print(f"rank {rank} attempt {attempt} step {step} loss {loss.item():.3f}", flush=True)
    if step == dies and rank == 1:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)  # stands for a host that takes the process away
