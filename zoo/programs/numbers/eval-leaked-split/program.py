import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(name)s - %(levelname)s - %(message)s")
log = logging.getLogger("ctr")
torch.manual_seed(1)
users = torch.randn(60, 24)
answer = torch.randint(0, 2, (60,))
who = torch.randint(0, 60, (3000,))
x, y = users[who] + 0.05 * torch.randn(3000, 24), answer[who]
order = torch.randperm(3000)
train, valid = order[:2400], order[2400:]
log.info("rows: 2400 train, 600 valid (random split over rows, seed 1); 60 distinct users in train, 60 in valid, 60 in both")
net = nn.Sequential(nn.Linear(24, 128), nn.ReLU(), nn.Linear(128, 2))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 9):
    for part in train[torch.randperm(2400)].split(60):
        loss = nn.functional.cross_entropy(net(x[part]), y[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        vl = nn.functional.cross_entropy(net(x[valid]), y[valid]).item()
        va = (net(x[valid]).argmax(1) == y[valid]).float().mean().item()
    log.info("epoch %d | train_loss %.4f | valid_loss %.4f | valid_acc %.4f", epoch, loss.item(), vl, va)
fresh = torch.randn(500, 24)
truth = torch.randint(0, 2, (500,))
with torch.no_grad():
    acc = (net(fresh).argmax(1) == truth).float().mean().item()
log.info("holdout of users that signed up later (500 rows): accuracy %.4f", acc)
log.info("model exported")
