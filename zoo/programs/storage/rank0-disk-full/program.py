import datetime
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=20))
rank = dist.get_rank()
torch.manual_seed(0)
net = DDP(nn.Sequential(nn.Linear(400, 800), nn.ReLU(), nn.Linear(800, 400)))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(1, 121):
    x = torch.randn(16, 400)
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 15 == 0:
        print(f"rank {rank}: step {step} recon {loss.item():.4f}")
    if step % 30 == 0:
        if rank == 0:
            tmp = f"out/ckpt_{step}.pt"
            torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, tmp)
            print(f"rank 0: wrote {tmp}, {os.path.getsize(tmp)} bytes")
        dist.barrier()
