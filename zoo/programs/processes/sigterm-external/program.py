import time

import torch
from torch import nn
from tqdm import tqdm

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(40, 80), nn.ReLU(), nn.Linear(80, 1))
opt = torch.optim.Adam(model.parameters())
bar = tqdm(range(2000), desc="train", mininterval=0.2)
for step in bar:
    x = torch.randn(64, 40)
    loss = (model(x).squeeze() - x.sum(1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    bar.set_postfix(loss=f"{loss.item():.3f}", lr=1e-3)
    time.sleep(0.004)
    if step % 250 == 249:
        tqdm.write(f"step {step + 1}: checkpoint saved to ckpt/{step + 1}.pt")
