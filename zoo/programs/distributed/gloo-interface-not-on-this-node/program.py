import os

import torch
import torch.distributed as dist
from torch import nn

rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
print(f"rank {rank}/{world}: pid up, interface {os.environ.get('GLOO_SOCKET_IFNAME', 'default')}", flush=True)
dist.init_process_group("gloo", rank=rank, world_size=world)
layer = nn.Linear(16, 4)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for step in range(1, 51):
    loss = layer(torch.randn(8, 16)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    for parameter in layer.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()
    if rank == 0 and step % 10 == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
dist.destroy_process_group()
