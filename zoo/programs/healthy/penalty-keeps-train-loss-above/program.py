import csv
import sys

import torch
from torch import nn

torch.manual_seed(23)
w = torch.randn(12, 1)
x, vx = torch.randn(2000, 12), torch.randn(400, 12)
y, vy = x @ w + 0.1 * torch.randn(2000, 1), vx @ w + 0.1 * torch.randn(400, 1)
net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), 3e-3)
out = csv.writer(sys.stdout)
out.writerow(["epoch", "train_loss", "val_loss", "val_r2", "lr"])
for epoch in range(25):
    losses = []
    for i in torch.randperm(2000).split(100):
        fit = nn.functional.mse_loss(net(x[i]), y[i])
        loss = fit + 2e-3 * sum(p.square().sum() for p in net.parameters())
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    with torch.no_grad():
        val = nn.functional.mse_loss(net(vx), vy).item()
    out.writerow([epoch, round(sum(losses) / len(losses), 6), round(val, 6), round(1 - val / vy.var().item(), 4), 3e-3])
