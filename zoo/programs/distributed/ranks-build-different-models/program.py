"""The depth of the model follows what each rank finds on its node."""
import os

import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
os.makedirs("cache", exist_ok=True)
dist.init_process_group("gloo")
torch.manual_seed(0)
depth = {0: 2, 1: 3, 2: 2}[rank]
print(f"(rank {rank}) backbone with {depth} blocks", flush=True)
blocks = [torch.nn.Linear(8, 8) for _ in range(depth)]
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*blocks, torch.nn.Linear(8, 1)))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(50):
    x = torch.randn(16, 8)
    loss = (net(x) - x.sum(1, keepdim=True)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if rank == 0:
        print(f"(rank 0) step {step} loss {loss.item():.3f}", flush=True)
dist.destroy_process_group()
