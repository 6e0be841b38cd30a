import os
import random
import threading
import time

import numpy as np

print("== random search, 24 trials, 2 slots ==", flush=True)
slots = threading.BoundedSemaphore(2)
progress = {"done": 0, "failed": 0, "at": time.time()}
rng = np.random.default_rng(9)
x = rng.normal(size=(800, 20))
y = np.sign(x @ rng.normal(size=20))


def trial(number, rate):
    began = time.time()
    while not slots.acquire(timeout=3):
        print(f"trial {number:02d}: no free slot (2 of 2 taken), queued for {time.time() - began:.0f} s", flush=True)
    w = np.zeros(20)
    try:
        for _ in range(150):
            w += rate * x.T @ (y - np.tanh(x @ w)) / 800
        if rate > 0.8:
            raise ValueError(f"rate {rate:.2f} outside of the table")
        score = np.mean(np.sign(x @ w) == y)
    except ValueError as error:
        progress["failed"] += 1
        print(f"trial {number:02d}: skipped, {error}", flush=True)
        return
    slots.release()
    progress.update(done=progress["done"] + 1, at=time.time())
    print(f"trial {number:02d}: rate {rate:.3f} accuracy {score:.4f}", flush=True)


def run_all():
    draw = random.Random(3)
    for number in range(24):
        trial(number, draw.uniform(0.001, 1.0))


threading.Thread(target=run_all, daemon=True).start()
while progress["done"] + progress["failed"] < 24:
    time.sleep(0.5)
    if time.time() - progress["at"] > 13:
        print(f"!! nothing has finished for {time.time() - progress['at']:.0f} s ({progress['done']}/24 trials done), giving the node back", flush=True)
        os._exit(75)
