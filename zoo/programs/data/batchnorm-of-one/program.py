import torch
from torch import nn
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
data = torch.randn(33, 4)
for step, batch in enumerate(data.split(8), 1):
    loss = model(batch).square().mean()
    print(f"step {step} loss {loss.item():.4f}", flush=True)
