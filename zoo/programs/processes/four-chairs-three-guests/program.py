"""Synchronous parallel SGD with four worker threads on one matrix factorisation."""
import sys
import threading
import time

import numpy as np

rng = np.random.default_rng(5)
R = rng.random((200, 300)) * 5
U, V = rng.normal(size=(200, 8)) * 0.3, rng.normal(size=(300, 8)) * 0.3
meet = threading.Barrier(4)
lock = threading.Lock()


def log(msg):
    with lock:
        print(f"[{time.strftime('%X')}] ({threading.current_thread().name}) {msg}", flush=True)


def work(k):
    rows = np.arange(k, 200, 4)
    for rnd in range(1, 400):
        err = U[rows] @ V.T - R[rows]
        U[rows] -= 0.004 * err @ V / 10
        meet.wait()
        if k == 0:
            V[:] -= 0.0004 * (U @ V.T - R).T @ U
        meet.wait()
        if k == 2 and np.abs(err).mean() < 1.33:
            log(f"round {rnd}: mean abs err {np.abs(err).mean():.4f} is good enough for my rows, leaving")
            return
        log(f"round {rnd}: mean abs err {np.abs(err).mean():.4f}")
        time.sleep(0.03)


threads = [threading.Thread(target=work, args=(k,), name=f"w{k}") for k in range(4)]
log("starting 4 workers")
for t in threads:
    t.start()
for t in threads:
    t.join()
log("all workers done, saving factors")
