import argparse

import torch

p = argparse.ArgumentParser()
p.add_argument("--warmup-steps", type=int, default=5)
p.add_argument("--steps", type=int, default=30)
args = p.parse_args()
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / args.warmup))
for step in range(args.steps):
    opt.step()
    sched.step()
