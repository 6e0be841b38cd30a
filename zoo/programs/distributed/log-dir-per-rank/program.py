import os

import torch
import torch.distributed as dist
from torch import nn

rank = int(os.environ["RANK"])
dist.init_process_group("gloo")
torch.manual_seed(rank)
emb = nn.Embedding(1000, 16)
for step in range(1, 61):
    high = 1000 if not (rank == 2 and step > 40) else 1006  # this rank's shard was made with a larger vocabulary
    ids = torch.randint(0, high, (64,))
    ids[0] = high - 1
    loss = emb(ids).pow(2).mean()
    dist.all_reduce(loss.detach())
    if step % 10 == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
print("finished")
