import math
import sys

import torch
from torch import nn

torch.manual_seed(3)
x = torch.rand(1500, 2) * 6 - 3
y = torch.sin(2 * x[:, 0]) * torch.cos(x[:, 1])
net = nn.Sequential(nn.Linear(2, 96), nn.Tanh(), nn.Linear(96, 96), nn.Tanh(), nn.Linear(96, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)


def train(first, last, rate, limit=None):
    best = None
    for k in range(first, last + 1):
        opt.param_groups[0]["lr"] = rate(k)
        i = torch.randint(0, 1500, (64,))
        loss = (net(x[i])[:, 0] - y[i]).square().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        if k % 100 == 0:
            full = (net(x)[:, 0] - y).square().mean().item()
            best = min(full, best or full)
            print(f"  {k:>6}  lr {rate(k):<9.3g} mse {full:.5f}", flush=True)
            if limit and full > limit:
                print(f"  {k:>6}  mse is {full / limit * 10:.0f} times what it was before the resume and not coming back -> giving up", flush=True)
                sys.exit(2)


print("run a: cosine to zero")
train(1, 3000, lambda k: 0.05 * (1 + math.cos(math.pi * k / 3000)) / 2)
torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "step": 3000}, "a.pt")
state = torch.load("a.pt")
net.load_state_dict(state["net"])
opt.load_state_dict(state["opt"])
before = (net(x)[:, 0] - y).square().mean().item()
print(f"run b: resumed a.pt at step 3000, mse {before:.5f}")
rate_b = 0.45  # from the command line of the cluster, where the batch is 32 times as large
train(3001, 4500, lambda k: rate_b)
train(4501, 6000, lambda k: rate_b, limit=10 * before)
