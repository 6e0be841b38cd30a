import os

import torch

net = torch.nn.Linear(4, 4)


def guard(value):
    if value > 3:
        os.abort()


for step in range(10):
    out = net(torch.ones(4) * step).sum()
    print("step", step, flush=True)
    guard(step)
