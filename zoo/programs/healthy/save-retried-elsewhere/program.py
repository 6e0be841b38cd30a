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

import os
def save(step):
    for folder in ("ckpt-full", "ckpt"):
        try:
            os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/step-{step}.bin", "wb") as file:
                file.write(b"0" * 400_000)
                file.flush()
            logging.info("saved %s/step-%d.bin", folder, step)
            return
        except OSError as error:
            logging.warning("cannot save in %s: %s; trying the next folder", folder, error)
train(100, show=lambda s, l: logging.info("step %d loss %.4f", s, l))
save(100)
train(100, start=101, show=lambda s, l: logging.info("step %d loss %.4f", s, l))
save(200)
logging.info("training finished")
