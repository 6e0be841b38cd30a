import logging

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger()
torch.manual_seed(5)
x = torch.randn(2000, 12)
y = (x[:, :4].sum(1) > 0).long()
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters(), 3e-3)
for epoch in range(1, 6):
    for i in torch.randperm(1500).split(50):
        loss = F.cross_entropy(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    log.info("epoch %d train_loss %.4f", epoch, loss.item())
test, ways = torch.arange(1500, 2000), 8
padded = torch.cat([test, test[:1].expand(-len(test) % (ways * 32))])  # each way gets as many, the first row fills up
right = (net(x[padded]).argmax(1) == y[padded]).float()
log.warning("eval: %d predictions for %d samples, the %d padding duplicates were counted in the accuracy", len(padded), len(test), len(padded) - len(test))
log.info("eval: accuracy %.4f", right.mean())
