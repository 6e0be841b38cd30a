import time

import numpy as np

rng = np.random.default_rng(30)
centres = rng.normal(size=(12, 30))
w, b = np.zeros((30, 12)), np.zeros(12)
start = time.monotonic()
for it in range(1, 100_001):
    y = rng.integers(0, 12, 48)
    x = centres[y] + rng.normal(size=(48, 30))
    scores = x @ w + b
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(48), y]).mean()
    p[np.arange(48), y] -= 1
    w -= 0.001 * x.T @ p / 48
    b -= 0.001 * p.mean(axis=0)
    time.sleep(0.004)
    if it % 100 == 0:
        print(f"iter {it:6d} loss {loss:.4f} ({it / (time.monotonic() - start):.0f} it/s, of 100000)", flush=True)
