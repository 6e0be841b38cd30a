import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

rank = int(os.environ["RANK"])
dist.init_process_group("gloo")
torch.manual_seed(0)
net = DDP(nn.Linear(64, 64))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(1, 101):
    begin = time.perf_counter()
    x = torch.randn(32, 64)
    if rank == 2 and step > 30:
        time.sleep(0.12)  # its disk is slow from here on
    loaded = time.perf_counter()
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    end = time.perf_counter()
    if step % 10 == 0:
        print(f"[rank{rank}] step {step}/100 loss={loss.item():.4f} data_time={1000 * (loaded - begin):.1f}ms compute_and_wait={1000 * (end - loaded):.1f}ms")
dist.barrier()
if rank == 0:
    print("all ranks finished 100 steps")
dist.destroy_process_group()
