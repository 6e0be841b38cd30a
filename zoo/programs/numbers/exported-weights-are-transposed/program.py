import numpy as np

rng = np.random.default_rng(11)
x = rng.normal(size=(4000, 24))
hidden_true, out_true = rng.normal(size=(24, 24)), rng.normal(size=(24, 5))
y = (np.tanh(x @ hidden_true / 3) @ out_true).argmax(1)
w1, w2 = rng.normal(size=(24, 24)) * 0.3, rng.normal(size=(24, 5)) * 0.3


def forward(x, a, b):
    h = np.tanh(x @ a)
    z = h @ b
    p = np.exp(z - z.max(1, keepdims=True))
    return h, p / p.sum(1, keepdims=True)


def accuracy(a, b):
    return float((forward(x[3000:], a, b)[1].argmax(1) == y[3000:]).mean())


for it in range(1, 1501):
    i = rng.integers(0, 3000, 128)
    h, p = forward(x[i], w1, w2)
    d = p.copy()
    d[np.arange(128), y[i]] -= 1
    g1, g2 = x[i].T @ ((d @ w2.T) * (1 - h * h)) / 128, h.T @ d / 128
    w1 -= 0.5 * g1
    w2 -= 0.5 * g2
    if it % 100 == 0:
        print(f"it {it:>4} nll {-np.log(p[np.arange(128), y[i]]).mean():.4f} dev_acc {accuracy(w1, w2):.4f}")
np.savez("serving.npz", layer_0=w1.T, layer_1=w2.T)  # the runtime wants them that way round
back = np.load("serving.npz")
print("parity  model             dev_acc")
print(f"parity  in memory         {accuracy(w1, w2):.4f}")
print(f"parity  serving.npz       {accuracy(back['layer_0'], back['layer_1'].T):.4f}")
print("parity  MISMATCH: serving.npz does not score as the model it was exported from")
