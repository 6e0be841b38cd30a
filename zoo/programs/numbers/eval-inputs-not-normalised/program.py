import csv
import sys

import torch
from torch import nn

torch.manual_seed(1)
centre = torch.randn(5, 30) * 12 + 140
log = csv.writer(sys.stdout)
log.writerow(["epoch", "split", "input_mean", "input_std", "loss", "accuracy"])


def sample(n):
    y = torch.randint(0, 5, (n,))
    return centre[y] + 10 * torch.randn(n, 30), y


net = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 5))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 9):
    for _ in range(40):
        x, y = sample(64)
        x = (x - 140) / 15
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    acc = (net(x).argmax(1) == y).float().mean().item()
    log.writerow([epoch, "train", f"{x.mean():.3f}", f"{x.std():.3f}", f"{loss.item():.4f}", f"{acc:.3f}"])
    with torch.no_grad():
        x, y = sample(500)
        loss = nn.functional.cross_entropy(net(x), y)
        acc = (net(x).argmax(1) == y).float().mean().item()
    log.writerow([epoch, "valid", f"{x.mean():.3f}", f"{x.std():.3f}", f"{loss.item():.4f}", f"{acc:.3f}"])
