import threading
import time

import numpy as np


class Metrics:
    def __init__(self):
        self._lock = threading.Lock()
        self.rows = []

    def add(self, **kw):
        with self._lock:
            self.rows.append(kw)
            if len(self.rows) == 128:
                self.flush()

    def flush(self):
        with self._lock:
            print(f"   flushed {len(self.rows)} rows")
            self.rows.clear()


rng = np.random.default_rng(0)
A = (rng.random((80, 80)) < 0.1) + np.eye(80)
A = A / A.sum(1, keepdims=True)
X, Y, W, m = rng.normal(size=(80, 6)), rng.normal(size=(80, 2)), np.zeros((6, 2)), Metrics()
print(f"graph with 80 nodes, {int((A > 0).sum())} edges")
for b in range(1, 2000):
    E = A @ X @ W - Y
    W -= 0.1 * (A @ X).T @ E / 80
    m.add(loss=float((E**2).mean()))
    print(f"{time.strftime('%H:%M:%S')} batch {b} mse {(E**2).mean():.5f}", flush=True)
    time.sleep(0.01)
