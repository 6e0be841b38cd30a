import sys
import time

import numpy as np

rng = np.random.default_rng(77)
ratings = rng.integers(1, 6, size=(200, 150)).astype(float)
mask = rng.random(ratings.shape) < 0.2
p, q = rng.normal(size=(200, 8)) * 0.1, rng.normal(size=(150, 8)) * 0.1
mean = ratings[mask].mean()
print("Matrix factorisation, 8 factors. Stop any time with Ctrl-C: the factors are saved and the process ends with 0.")
sweep = 0
try:
    while True:
        sweep += 1
        error = mask * (ratings - mean - p @ q.T)
        p, q = p + 0.004 * (error @ q - 0.1 * p), q + 0.004 * (error.T @ p - 0.1 * q)
        if sweep % 20 == 0:
            print(f"sweep {sweep}: rmse {np.sqrt((error[mask] ** 2).mean()):.4f}", flush=True)
            time.sleep(0.25)
except KeyboardInterrupt:
    print(f"^C received in sweep {sweep}, writing factors.npz ...", flush=True)
    np.savez("factors.npz", p=p, q=q, sweep=sweep)
    print("saved, bye")
    sys.exit(0)
