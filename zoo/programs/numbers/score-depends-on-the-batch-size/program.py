import logging

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger()
torch.manual_seed(11)
x = torch.randn(1200, 6) * 2 + 1
y = (x[:, 0] > x[:, 1]).long()
net = nn.Sequential(nn.Linear(6, 32), nn.BatchNorm1d(32, track_running_stats=False), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters(), 5e-3)
for epoch in range(1, 7):
    for i in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    log.info("epoch %d loss %.4f", epoch, loss.item())
net.eval()


def accuracy(rows, size):
    right = sum((net(part).argmax(1) == want).sum().item() for part, want in zip(x[rows].split(size), y[rows].split(size)))
    return right / len(rows)


rows = torch.arange(1000, 1200)
by_class = rows[y[rows].argsort()]
log.info("consistency check: accuracy is %.3f at batch size 200 and %.3f at batch size 2 for the same samples", accuracy(by_class, 200), accuracy(by_class, 2))
