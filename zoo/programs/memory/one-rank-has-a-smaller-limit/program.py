import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
model = DistributedDataParallel(nn.Linear(64, 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1, 121):
    loss = nn.functional.cross_entropy(model(torch.randn(16, 64)), torch.randint(0, 8, (16,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(f"rank {rank} step {step} ce {loss.item():.4f}", flush=True)
    if step == 100:
        print(f"rank {rank} building the neighbour table", flush=True)
        table = torch.empty(40_000, 40_000)  # 6.4 GB, touched a row at a time
        table[step] = 1
dist.destroy_process_group()
