import torch
from torch import nn
table = nn.Embedding(64, 8)
for step in range(1, 50):
    length = 60 + step
    loss = table(torch.arange(length)).square().mean()
    if step % 2 == 0:
        print(f"step {step} length {length} loss {loss.item():.4f}", flush=True)
