import os

import torch
import torch.distributed as dist
from torch import nn

rank = int(os.environ["RANK"])
dist.init_process_group("gloo")
torch.manual_seed(0)
# the vocabulary is built from each rank's own shard
vocab = {0: 812, 1: 805}[rank]
print(f"INFO [rank{rank}] vocabulary of {vocab} words from shard-{rank}.txt")
table = nn.Embedding(vocab, 16)
head = nn.Linear(16, 2)
for p in [*head.parameters(), *table.parameters()]:
    dist.broadcast(p.data, src=0)
print(f"INFO [rank{rank}] parameters broadcast")
for step in range(20):
    out = head(table(torch.randint(0, vocab, (32,))))
    out.pow(2).mean().backward()
    for p in [*head.parameters(), *table.parameters()]:
        dist.all_reduce(p.grad)
    print(f"INFO [rank{rank}] step {step}")
