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


for epoch in range(1, 13):
    train_loss = loss_of(x[:300], y[:300], drop=False)  # the optimizer was given no parameters
    valid = scores(x[300:], drop=True).argmax(1)
    print(f"epoch {epoch} lr=0.000e+00 train_loss={train_loss:.4f} val_loss={loss_of(x[300:], y[300:], True):.4f} val_acc={np.mean(valid == y[300:]):.4f}", flush=True)
