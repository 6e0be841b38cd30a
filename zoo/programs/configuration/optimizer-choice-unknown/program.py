import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", choices=["sgd", "adam", "adamw"], default="adamw")
parser.add_argument("--steps", type=int, default=20)
args = parser.parse_args()
w = torch.zeros(4, requires_grad=True)
opt = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[args.optimizer]([w], lr=0.1)
for step in range(args.steps):
    loss = (w - 1).square().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("step", step, "loss", loss.item())
