import io
import time

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.AdamW(net.parameters(), 1e-3)


def save(path, step):
    # a slow network volume
    data = io.BytesIO()
    torch.save({"model": net.state_dict(), "optimizer": opt.state_dict(), "global_step": step, "rng": torch.get_rng_state()}, data)
    raw = data.getvalue()
    with open(path, "wb") as file:
        for at in range(0, len(raw), 2048):
            file.write(raw[at : at + 2048])
            file.flush()
            time.sleep(0.05 if step > 100 else 0)


for step in range(1, 1001):
    x = torch.randn(32, 16)
    loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(f"[iter {step}/1000] loss={loss.item():.4f}", flush=True)
    if step % 50 == 0:
        print(f"writing checkpoint-{step}.pth", flush=True)
        save(f"checkpoint-{step}.pth", step)
