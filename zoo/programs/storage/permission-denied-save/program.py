import os
import sys

import torch
from torch import nn

OUT = "/".join(["outputs", "exp-12"])
torch.manual_seed(0)
model = nn.Linear(32, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
print("Experiment directory:", OUT, file=sys.stderr)
print("WARNING: could not read user settings (Permission denied: '/etc/ml/settings'), using defaults", file=sys.stderr)
for epoch in range(1, 4):
    losses = []
    for _ in range(30):
        loss = nn.functional.cross_entropy(model(torch.randn(16, 32)), torch.randint(0, 4, (16,)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    print("Epoch: %d/3  mean loss: %.4f" % (epoch, sum(losses) / len(losses)))
    os.makedirs(OUT, exist_ok=True)
    torch.save(model.state_dict(), os.path.join(OUT, "model_%d.pth" % epoch))
