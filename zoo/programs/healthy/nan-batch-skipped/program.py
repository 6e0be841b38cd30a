import logging, math
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

for s in range(1, 301):
    x = float("nan") if s == 147 else random.uniform(-1, 1)
    loss = (w * x - 3 * x) ** 2
    if math.isnan(loss):
        logging.warning("loss is nan at step %d, batch skipped", s)
        continue
    w -= lr * 2 * (w * x - 3 * x) * x
    if s % 20 == 0:
        logging.info("step %d loss %.4f", s, loss)
logging.info("training complete")
