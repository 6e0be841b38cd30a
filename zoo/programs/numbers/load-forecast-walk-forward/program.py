import sys

import numpy as np
import torch

rng = np.random.default_rng(3)
torch.manual_seed(3)
steps = 3000
series = np.cumsum(rng.normal(size=steps)) * 1.0 + 1 * np.sin(np.arange(steps) / 24 * 2 * np.pi)
LOOK, AHEAD = 24, 96


def say(**kw):
    sys.stdout.write(" ".join(f"{k}={v:.4f}" if isinstance(v, float) else f"{k}={v}" for k, v in kw.items()) + "\n")


past = series[:2400]
idx = np.arange(len(past) - LOOK - AHEAD)
mean, std = past.mean(), past.std()


def windows(s, i):
    x = np.stack([np.r_[(s[j : j + LOOK] - mean) / std, j / 2400 * 20 % 7, np.sin(j / 20 * np.arange(1, 30))] for j in i])
    y = np.stack([(s[j + LOOK : j + LOOK + AHEAD] - mean) / std for j in i])
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


perm = rng.permutation(idx)
tr, va = perm[:1750], perm[1750:]
xt, yt = windows(past, tr)
xv, yv = windows(past, va)
xw, yw = windows(series, np.arange(2400 - LOOK, steps - LOOK - AHEAD))
say(event="data", rows=len(past), windows=len(idx), lookback=LOOK, horizon=AHEAD, split="shuffle", train=len(tr), valid=len(va))
net = torch.nn.Sequential(torch.nn.Linear(xt.shape[1], 256), torch.nn.ReLU(), torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, AHEAD))
opt = torch.optim.Adam(net.parameters(), 1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 60)
for round_ in range(1, 61):
    order = torch.randperm(len(xt))
    for i in range(0, len(order), 64):
        k = order[i : i + 64]
        loss = (net(xt[k]) - yt[k]).abs().mean()
        opt.zero_grad(); loss.backward(); opt.step()
    sched.step()
    if round_ % 3 == 0:
        with torch.no_grad():
            say(event="fit", round=round_, train_mae=loss.item(), valid_mae=(net(xv) - yv).abs().mean().item())
with torch.no_grad():
    p = net(xw)
naive = torch.tensor(np.stack([np.full(AHEAD, (series[j + LOOK - 1] - mean) / std) for j in range(2400 - LOOK, steps - LOOK - AHEAD)]), dtype=torch.float32)
for w in range(0, len(p), 125):
    say(event="walk_forward", week=w // 125 + 1, mae=(p[w : w + 125] - yw[w : w + 125]).abs().mean().item(), naive_mae=(naive[w : w + 125] - yw[w : w + 125]).abs().mean().item())
say(event="exit", artifact="loadfc.pt")
