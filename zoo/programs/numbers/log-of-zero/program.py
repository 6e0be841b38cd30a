import json
import sys
import time

import torch
from torch import nn

torch.manual_seed(3)
start = time.time()


def emit(**fields):
    print(json.dumps({"t": round(time.time() - start, 3), **fields}), flush=True)


net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4), nn.Softmax(dim=-1))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
emit(event="start", model="mlp-16-32-4", optimizer="adam", lr=0.02, detect_anomaly=True)
torch.autograd.set_detect_anomaly(True, check_nan=True)
centres = torch.randn(4, 16) * 30
for step in range(1, 501):
    y = torch.randint(0, 4, (64,))
    x = centres[y] * min(1.0, step / 80) + torch.randn(64, 16)
    p = net(x)
    target = nn.functional.one_hot(y, 4).float()
    entropy = -(p * torch.log(p)).sum(-1).mean()
    nll = -(target * torch.log(p)).sum(-1).mean()
    loss = nll - 0.01 * entropy
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 4 == 0:
        emit(event="train", step=step, loss=round(loss.item(), 5), entropy=round(entropy.item(), 5))
emit(event="end")
sys.exit(0)
