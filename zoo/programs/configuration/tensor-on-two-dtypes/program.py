import torch
from torch import nn

net = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 4)).to(torch.bfloat16)
for step in range(1, 11):
    x = torch.randn(8, 16)
    loss = net(x).float().square().mean()
    loss.backward()
    print(f"step {step}: loss={loss.item():.4f}")
