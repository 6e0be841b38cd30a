import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

pool = ThreadPoolExecutor(max_workers=2)
rng = np.random.default_rng(7)
state = {"step": 0, "loss": float("nan")}
began = time.time()


def status():
    while True:
        time.sleep(6)
        gone = int(time.time() - began)
        print(f"elapsed {gone // 60:02d}:{gone % 60:02d}  step {state['step']:4d}/600  loss {state['loss']:.4f}  queued {pool._work_queue.qsize()}", flush=True)


def augment(x):
    time.sleep(0.05)
    return x + rng.normal(size=x.shape) * 0.01


def load(at):
    x = rng.normal(size=(16, 6))
    if at < 260:
        return augment(x)
    return pool.submit(augment, x).result()  # big images are augmented in the pool too


threading.Thread(target=status, daemon=True).start()
w = np.zeros(6)
ahead = [pool.submit(load, at) for at in range(4)]
for step in range(1, 601):
    x = ahead.pop(0).result()
    ahead.append(pool.submit(load, step + 3))
    gap = x @ (w - np.arange(6))
    w -= 0.05 * x.T @ gap / len(x)
    state.update(step=step, loss=float(np.mean(gap**2)))
print("done")
