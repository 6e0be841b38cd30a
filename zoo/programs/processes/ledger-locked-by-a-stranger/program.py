import sqlite3
import time

import numpy as np

rng = np.random.default_rng(3)
x = rng.normal(size=(512, 16))
y = x @ rng.normal(size=16) + 0.1 * rng.normal(size=512)
w = np.zeros(16)
ledger = sqlite3.connect("runs.db", timeout=0.5, isolation_level=None)
ledger.execute("create table if not exists metric (step integer, mse real)")


def note(step, mse):
    n = 0
    while True:
        try:
            ledger.execute("insert into metric values (?, ?)", (step, mse))
            return
        except sqlite3.OperationalError as error:
            n += 1
            print(f"{time.strftime('%X')} WARN tracker: runs.db: {error} (step {step}, retry {n})", flush=True)
            time.sleep(1)


for step in range(1, 4001):
    i = rng.integers(0, 512, 32)
    w -= 0.01 * x[i].T @ (x[i] @ w - y[i]) / 32
    if step % 50 == 0:
        mse = float(np.mean((x @ w - y) ** 2))
        note(step, mse)
        print(f"{time.strftime('%X')} INFO train: step {step} mse {mse:.5f}", flush=True)
        time.sleep(0.1)
