import logging
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")

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

import shutil, os
train(300, show=lambda s, l: logging.info("step %d loss %.4f", s, l))
os.makedirs("registry/v17")
open("registry/v17/w.txt", "w").write(str(w))
logging.info("published model version 17 to registry/v17")
