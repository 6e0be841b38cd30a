import time
t0 = time.time()

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

train(500, 25, show=lambda s, l: print(f"[{s:05d}] train_loss={l:.5f} lr={lr:.1e}"))
print(f"elapsed {time.time() - t0:.2f} s, {500 / (time.time() - t0):.0f} samples/s")
