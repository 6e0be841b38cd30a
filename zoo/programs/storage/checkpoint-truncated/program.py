import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--resume")
ap.add_argument("--save")
ap.add_argument("--steps", type=int, default=40)
a = ap.parse_args()
torch.manual_seed(2)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8))
start = 0
print(f"=> args: {a}")
if a.resume:
    print(f"=> loading checkpoint '{a.resume}'")
    state = torch.load(a.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    start = state["step"]
    print(f"=> loaded checkpoint (step {start})")
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(start + 1, start + a.steps + 1):
    x = torch.randn(16, 64)
    loss = model(x).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(f"Step [{step}] Loss: {loss.item():.4f}")
if a.save:
    torch.save({"model": model.state_dict(), "step": start + a.steps}, a.save)
