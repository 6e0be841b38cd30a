import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from factors import Factors, NotConverging

rng = np.random.default_rng(9)
users, films, n = 300, 200, 12000
u, f = rng.integers(users, size=n), rng.integers(films, size=n)
p, q = rng.normal(size=(users, 3)), rng.normal(size=(films, 3))
stars = np.clip(3.4 + 0.5 * (p[u] * q[f]).sum(1) + rng.normal(size=n) * 0.3, 1, 5)
model = Factors(users, films, rank=16, rate=0.11)
model.mean = stars.mean()
base = stars.std()
print(f"{n} stars of {users} people for {films} films; predicting the mean gives rmse {base:.4f}")
history = []


def fit(sweeps):
    for s in range(1, sweeps + 1):
        rmse = model.sweep(u, f, stars)
        history.append(rmse)
        print(f"sweep={s} rmse={rmse:.4f}" + ("" if len(history) < 2 else f" ({'+' if rmse > history[-2] else '-'}{abs(rmse - history[-2]):.4f})"))
        model.rate *= 1.25 if s > 6 else 1.0
        if s >= 18 and min(history[-5:]) > 2 * base:
            raise ArithmeticError(f"rmse {rmse:.3f} after sweep {s}; best was {min(history):.3f} in sweep {int(np.argmin(history)) + 1}")


try:
    fit(60)
except ArithmeticError as e:
    raise NotConverging(f"five sweeps in a row are worse than twice the mean's rmse ({base:.3f})") from e
