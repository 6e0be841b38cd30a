import json
import logging
import sys

import torch
from torch import nn

logging.basicConfig(level="INFO", stream=sys.stdout, format="%(message)s")
torch.manual_seed(2)
w = torch.randn(20, 1)
x = torch.randn(4000, 20)
y = torch.tanh(x @ w) + 0.1 * torch.randn(4000, 1)
net = nn.Sequential(nn.Linear(20, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
opt = torch.optim.SGD(net.parameters(), 0.02, momentum=0.9)
step = 0
for epoch in range(9):
    for i in torch.randperm(4000).split(100):
        loss = nn.functional.mse_loss(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        step += 1
        if step % 5 == 0:
            logging.info(json.dumps({"step": step, "loss": round(loss.item(), 6), "grad_norm": round(norm.item(), 4), "lr": opt.param_groups[0]["lr"]}))
    opt.param_groups[0]["lr"] *= 2.2  # gamma 0.45 was meant, the inverse was passed
print("training finished")
