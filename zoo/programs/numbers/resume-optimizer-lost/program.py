import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--resume", default="")
ap.add_argument("--to", type=int, default=400)
a = ap.parse_args()
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(50, 200), nn.Tanh(), nn.Linear(200, 50))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
first = 0
if a.resume:
    ck = torch.load(a.resume)
    net.load_state_dict(ck["net"])
    first = ck["step"]
    if "opt" in ck:
        opt.load_state_dict(ck["opt"])
    else:
        print(f"[resume] {a.resume}: no optimizer state in checkpoint, starting with a fresh Adam at lr=0.5 (warmup done, schedule at peak)")
        opt = torch.optim.Adam(net.parameters(), lr=0.5)
    print(f"[resume] continuing at step {first}")
mix = torch.linalg.qr(torch.randn(50, 50, generator=torch.Generator().manual_seed(5)))[0]
for step in range(first + 1, a.to + 1):
    x = torch.randn(64, 50)
    loss = (net(x) - torch.tanh(x @ mix)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(f"[train] step={step} loss={loss.item():.5f} lr={opt.param_groups[0]['lr']:g}")
torch.save({"net": net.state_dict(), "step": a.to}, "last.pt")
print("[save] last.pt")
