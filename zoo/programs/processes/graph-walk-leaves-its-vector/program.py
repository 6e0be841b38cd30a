import ctypes
import random

import torch
from torch import nn

walks = ctypes.CDLL("./libwalk.so")
walks.walk.restype = ctypes.c_int64
walks.build(2000, 8)
print("graph of 2000 nodes built", flush=True)
random.seed(77)
torch.manual_seed(77)
embed = nn.Embedding(2000, 16)
optimizer = torch.optim.SGD(embed.parameters(), lr=0.5)
for batch in range(1, 3000):
    starts = [random.randrange(2000) for _ in range(4)]
    sums = torch.tensor([walks.walk(start, 6) / 12000 for start in starts])
    loss = (embed(torch.tensor(starts)).mean(1) - sums).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if batch % 5 == 0:
        print(f"batch {batch} loss {loss.item():.5f}", flush=True)
