import csv
import sys

import torch
from torch import nn

torch.manual_seed(13)
x = torch.rand(1500, 6) + 0.1
y = x.prod(1, keepdim=True).log()
net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), 3e-3)
vx = torch.rand(200, 6) + 0.1
vy = vx.prod(1, keepdim=True).log()
vx[50] = float("nan")
out = csv.DictWriter(sys.stdout, ["epoch", "train_loss", "val_loss", "lr"])
out.writeheader()
for epoch in range(12):
    losses = []
    for i in torch.randperm(1500).split(50):
        loss = nn.functional.mse_loss(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    with torch.no_grad():
        val = nn.functional.mse_loss(net(vx), vy).item()
    out.writerow({"epoch": epoch, "train_loss": sum(losses) / len(losses), "val_loss": val, "lr": 0.003})
