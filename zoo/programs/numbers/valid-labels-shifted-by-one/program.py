import random

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)
random.seed(3)
centres = torch.randn(10, 32)


def make(n):
    y = torch.randint(0, 10, (n,))
    return centres[y] + 0.7 * torch.randn(n, 32), y


train_x, train_y = make(4000)
valid_x, valid_y = make(1000)
valid_x = valid_x.roll(1, 0)  # the feature file has a header row that the label file lacks

model = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 10))
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
print(f"Training on {len(train_x)} samples, validating on {len(valid_x)} samples")
for epoch in range(12):
    model.train()
    seen = hits = total = 0
    for i in torch.randperm(4000).split(64):
        out = model(train_x[i])
        loss = F.cross_entropy(out, train_y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += len(i)
        total += loss.item() * len(i)
        hits += (out.argmax(1) == train_y[i]).sum().item()
    model.eval()
    with torch.no_grad():
        out = model(valid_x)
        vl = F.cross_entropy(out, valid_y).item()
        va = (out.argmax(1) == valid_y).float().mean().item()
    print(f"Epoch {epoch + 1:2d}/12: train loss {total / seen:.3f}, train acc {100 * hits / seen:.1f}% | val loss {vl:.3f}, val acc {100 * va:.1f}%")
print("Finished training")
