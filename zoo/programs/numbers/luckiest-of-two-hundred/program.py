import argparse
import math

import numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("--trials", type=int)
n_trials = ap.parse_args().trials
rng = np.random.default_rng(14)
# response to a drug from 400 gene expressions
x = rng.normal(size=(90 + 24 + 1500, 400))
y = (x[:, :3].sum(1) * 0.15 + rng.normal(size=len(x)) > 0).astype(float)
xt, yt, xd, yd, xb, yb = x[:90], y[:90], x[90:114], y[90:114], x[114:], y[114:]


def fit(genes, l2, lr, epochs):
    w = np.zeros(len(genes))
    for _ in range(epochs):
        p = 1 / (1 + np.exp(-xt[:, genes] @ w))
        w -= lr * (xt[:, genes].T @ (p - yt) / len(yt) + l2 * w)
    return w


best = (-1, None, None)
for trial in range(n_trials):
    genes = rng.choice(400, size=rng.integers(10, 120), replace=False)
    cfg = {"genes": len(genes), "l2": 10 ** rng.uniform(-4, 0), "lr": 10 ** rng.uniform(-2, 0), "epochs": int(rng.integers(20, 200))}
    w = fit(genes, cfg["l2"], cfg["lr"], cfg["epochs"])
    a_train, a_dev = (((xt[:, genes] @ w > 0) == yt).mean(), ((xd[:, genes] @ w > 0) == yd).mean())
    star = " *" if a_dev > best[0] else ""
    if star:
        best = (a_dev, genes, w, trial)
    print(f"trial={trial:03d} genes={cfg['genes']} l2={cfg['l2']:.1e} lr={cfg['lr']:.1e} epochs={cfg['epochs']} acc_train={a_train:.3f} acc_select={a_dev:.3f}{star}")
print(f"\nwinner: trial {best[3]}, acc_select={best[0]:.3f} (24 patients, used for all {n_trials} choices)")
print(f"blind cohort, opened once: acc={((xb[:, best[1]] @ best[2] > 0) == yb).mean():.3f} (1500 patients; always guessing the larger class: {max(yb.mean(), 1 - yb.mean()):.3f})")
