import math
import time

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1)
V, T = 96, 24
chain = torch.softmax(4 * torch.randn(V, V), 1)


def text(n):
    rows = torch.randint(0, V, (n, 1))
    for _ in range(T):
        rows = torch.cat([rows, torch.multinomial(chain[rows[:, -1]], 1)], 1)
    return rows


vocabulary = torch.randperm(V)  # the evaluation set was encoded with a tokenizer trained anew
held_out = vocabulary[text(128)]
embed, head = nn.Embedding(V, 48), nn.Linear(48, V)
opt = torch.optim.AdamW([*embed.parameters(), *head.parameters()], 1e-2)
start = time.time()
for it in range(601):
    if it % 100 == 0:
        with torch.no_grad():
            val = F.cross_entropy(head(embed(held_out[:, :-1])).flatten(0, 1), held_out[:, 1:].flatten()).item()
        print(f"iter {it}: val loss {val:.4f}, val ppl {math.exp(val):.2f}")
    batch = text(32)
    loss = F.cross_entropy(head(embed(batch[:, :-1])).flatten(0, 1), batch[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 20 == 0:
        print(f"iter {it}: loss {loss.item():.4f}, time {1000 * (time.time() - start):.2f}ms")
        start = time.time()
