import argparse
import csv
import math
import os

import torch
import torch.nn as nn

ap = argparse.ArgumentParser()
ap.add_argument("--outdir")
outdir = ap.parse_args().outdir
os.makedirs(outdir, exist_ok=True)
torch.manual_seed(12)
BATCH, WARMUP, PEAK = 128, 64_000, 4e-4 * 128  # warm-up over 64k images
abar = torch.cos(torch.linspace(0, 1, 101)[1:] * math.pi / 2 * 0.98) ** 2


class Eps(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(3, 128), nn.SiLU(), nn.Linear(128, 128), nn.SiLU(), nn.Linear(128, 128), nn.SiLU(), nn.Linear(128, 2))

    def forward(self, x, t):
        return self.f(torch.cat([x, t[:, None] / 100], 1))


net = Eps()
opt = torch.optim.RMSprop(net.parameters(), lr=1e-9)
out = csv.writer(open(f"{outdir}/progress.csv", "w", buffering=1))
out.writerow(["it", "kimg", "loss", "grad_norm", "lr"])
print(f"diffuse: swiss roll, 100 levels, batch {BATCH}, writing {outdir}/progress.csv")
acc = 0.0
for it in range(1, 2001):
    kimg = it * BATCH / 1000
    for g in opt.param_groups:
        g["lr"] = PEAK * min(1, kimg / 64)
    a = torch.rand(BATCH) * 3 * math.pi + 1.5 * math.pi
    x0 = torch.stack([a * a.cos(), a * a.sin()], 1) / 10
    t = torch.randint(0, 100, (BATCH,))
    e = torch.randn(BATCH, 2)
    loss = (net(abar[t, None].sqrt() * x0 + (1 - abar[t, None]).sqrt() * e, t.float()) - e).square().mean()
    opt.zero_grad(); loss.backward()
    gn = nn.utils.clip_grad_norm_(net.parameters(), 1e12)
    opt.step()
    acc += loss.item() / 20
    if it % 20 == 0:
        out.writerow([it, f"{kimg:.1f}", f"{acc:.5f}", f"{gn:.4f}", f"{opt.param_groups[0]['lr']:.2e}"])
        acc = 0.0
    if it % 500 == 0:
        print(f"it={it} sample grid -> {outdir}/grid-{it:05d}.png")
print("diffuse: bye")
