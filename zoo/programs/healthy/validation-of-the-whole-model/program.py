import numpy as np

rng = np.random.default_rng(1)
x = rng.normal(size=(400, 12)).astype("float32")
y = (x[:, 0] + 0.7 * x[:, 1] > 0).astype(int)
hidden, out = rng.normal(size=(12, 24)) * 0.5, rng.normal(size=(24, 2)) * 0.5


def scores(rows, drop):
    h = np.maximum(rows @ hidden, 0)
    if drop:
        h = h * (rng.random(h.shape) > 0.5) * 2
    return h @ out


def loss_of(rows, labels, drop):
    z = scores(rows, drop)
    z = z - z.max(1, keepdims=True)
    return float(np.mean(np.log(np.exp(z).sum(1)) - z[np.arange(len(rows)), labels]))


for epoch in range(1, 16):
    losses = []
    for start in range(0, 300, 30):
        rows, labels = x[start : start + 30], y[start : start + 30]
        mask = (rng.random((30, 24)) > 0.5) * 2
        h = np.maximum(rows @ hidden, 0) * mask
        z = h @ out
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        losses.append(-np.log(p[np.arange(30), labels]).mean())
        p[np.arange(30), labels] -= 1
        back = p @ out.T * mask * (rows @ hidden > 0)
        out -= 0.2 * h.T @ p / 30
        hidden -= 0.2 * rows.T @ back / 30
    valid = scores(x[300:], drop=False).argmax(1)
    print(f"epoch {epoch}/15 train_loss={np.mean(losses):.4f} val_loss={loss_of(x[300:], y[300:], False):.4f} val_acc={np.mean(valid == y[300:]):.4f}", flush=True)
