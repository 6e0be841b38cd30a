import time

import random
random.seed(3)
w, lr = 0.0, 0.05
def train(steps, every=20, start=1, show=lambda s, l: print(f"step {s} loss {l:.4f}", flush=True)):
    global w
    for s in range(start, start + steps):
        x = random.uniform(-1, 1)
        loss = (w * x - 3 * x) ** 2 + random.uniform(0, 0.01)
        w -= lr * 2 * (w * x - 3 * x) * x
        if s % every == 0:
            show(s, loss)

for s in range(1, 10_000, 20):
    train(20, 20, start=s)
    time.sleep(0.02)
