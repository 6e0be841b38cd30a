import os
import time

import torch
from torch import nn

os.chdir("disk")  # a small volume
os.makedirs("ckpt")
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.AdamW(net.parameters(), 1e-3)
for step in range(1, 1001):
    x = torch.randn(32, 16)
    loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
    if step % 100 == 0:
        path = f"ckpt/step_{step}.pt"
        print(f"saving {path}", flush=True)
        torch.save({"model": net.state_dict(), "optimizer": opt.state_dict(), "step": step}, path)
        time.sleep(0.01)
