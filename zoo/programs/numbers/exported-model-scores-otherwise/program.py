import logging

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger()
torch.manual_seed(7)
x = torch.randn(1500, 10)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(10, 64), nn.Tanh(), nn.Linear(64, 2))
early = {name: value.clone() for name, value in net.state_dict().items()}
opt = torch.optim.Adam(net.parameters(), 5e-3)
for epoch in range(1, 9):
    for i in torch.randperm(1200).split(40):
        loss = F.cross_entropy(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    score = (net(x[1200:]).argmax(1) == y[1200:]).float().mean().item()
    log.info("epoch %d loss %.4f val accuracy %.4f", epoch, loss.item(), score)
torch.save(early, "export.pt")  # the copy taken before training
net.load_state_dict(torch.load("export.pt"))
again = (net(x[1200:]).argmax(1) == y[1200:]).float().mean().item()
log.info("re-evaluating export.pt: accuracy %.4f (logged during training: %.4f)", again, score)
