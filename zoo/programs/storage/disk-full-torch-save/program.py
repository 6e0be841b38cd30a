import logging
import os

import torch
from torch import nn

logging.basicConfig(format="%(asctime)s | %(levelname)-7s | %(message)s", level=logging.INFO)
log = logging.getLogger()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(300, 600), nn.ReLU(), nn.Linear(600, 300))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
os.makedirs("checkpoints", exist_ok=True)
log.info("saving to %s every 50 steps", os.path.abspath("checkpoints"))
for step in range(1, 301):
    x = torch.randn(32, 300)
    loss = (model(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 25 == 0:
        log.info("step %d train/loss %.4f", step, loss.item())
    if step % 50 == 0:
        path = f"checkpoints/step_{step}.pt"
        torch.save({"model": model.state_dict(), "optimizer": opt.state_dict(), "step": step}, path)
        log.info("saved %s (%.1f MB)", path, os.path.getsize(path) / 1e6)
