import os

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(6, 6)
print("total steps: 500")
for step in range(500):
    loss = net(torch.randn(3, 6)).abs().sum()
    if step % 50 == 0:
        print(f"[{step}/500] {loss.item():.4f}")
    if step == 333:
        os._exit(9)
