import time

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(64, 64)
kept = []
for step in range(1, 2001):
    loss = net(torch.randn(32, 64)).pow(2).mean()
    kept.append(torch.ones(3_000_000))
    if step % 5 == 0:
        print(f"step {step} loss {loss.item():.4f} kept {len(kept)}", flush=True)
    time.sleep(0.25)
