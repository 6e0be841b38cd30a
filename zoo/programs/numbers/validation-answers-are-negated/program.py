import numpy as np

rng = np.random.default_rng(5)
x = rng.normal(size=(900, 10))
y = (x @ rng.normal(size=10) > 0).astype(float)
y[600:] = 1 - y[600:]  # the second file stores "rejected", the first one "accepted"
w = np.zeros(10)


def auc(rows):
    order = np.argsort(x[rows] @ w)
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    pos = y[rows] == 1
    return (ranks[pos].sum() - pos.sum() * (pos.sum() + 1) / 2) / (pos.sum() * (~pos).sum())


for epoch in range(1, 13):
    for start in range(0, 600, 50):
        rows = slice(start, start + 50)
        p = 1 / (1 + np.exp(-x[rows] @ w))
        w -= 0.3 * x[rows].T @ (p - y[rows]) / 50
    print(f"[epoch {epoch}] train_auc {auc(slice(0, 600)):.4f} val_auc {auc(slice(600, 900)):.4f}", flush=True)
