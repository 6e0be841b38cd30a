import argparse
import time

import torch
import torch.nn as nn

ap = argparse.ArgumentParser()
ap.add_argument("--cycles", type=int, default=4)
a = ap.parse_args()
torch.manual_seed(0)
w = torch.randn(16, 6)


def data(n):
    x = torch.randn(n, 16)
    return x, ((x + 0.3 * (x @ torch.ones(16, 1)).sin()) @ w + torch.randn(n, 6) * 1.5).argmax(1)


x, y = data(8000)
xv, yv = data(8000)
net = nn.Sequential(nn.Linear(16, 24), nn.ReLU(), nn.Linear(24, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.15, momentum=0.9)
sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=8, eta_min=1e-4)
best, begin, since = 9.0, time.time(), 0
for e in range(8 * a.cycles):
    for i in torch.randperm(8000).split(100):
        loss = nn.functional.cross_entropy(net(x[i]), y[i])
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        full, val = nn.functional.cross_entropy(net(x), y).item(), nn.functional.cross_entropy(net(xv), yv).item()
    since = 0 if full < best else since + 1
    best = min(best, full)
    print(f"e{e:02d} lr={sched.get_last_lr()[0]:.4f} loss={full:.4f} val={val:.4f}" + (f"  (no gain for {since})" if since else "") + ("  <- warm restart" if e and e % 8 == 0 else ""))
    sched.step()
    if e % 8 == 7:
        torch.save(net.state_dict(), f"snapshot{e // 8}.pt")
print(f"{time.time() - begin:.1f}s")
