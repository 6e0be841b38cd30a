import logging
import time

import numpy as np

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)-7s | %(message)s", datefmt="%Y-%m-%d %H:%M:%S")
log = logging.getLogger()
rng = np.random.default_rng(19)
rule, w = rng.normal(size=30), np.zeros(30)
step = 0
for epoch in range(1, 4):
    for shard in range(4):
        began = time.perf_counter()
        time.sleep(2.5 if (epoch, shard) == (2, 1) else 0.05)
        took = time.perf_counter() - began
        if took > 1:
            log.warning("shard %d took %.1f s to open (usually under 0.1 s), storage busy?", shard, took)
        for _ in range(50):
            x = rng.normal(size=(32, 30))
            gap = x @ w - (x @ rule + 0.3 * rng.normal(size=32))
            w -= 0.02 * x.T @ gap / 32
            step += 1
            if step % 25 == 0:
                log.info("step %d/600 | mse %.4f | waited for data %.2f s", step, np.mean(gap**2), took)
            took = 0.0
            time.sleep(0.002)
    log.info("epoch %d: evaluating on the full set, this takes a while without output", epoch)
    time.sleep(4)
    x = rng.normal(size=(5000, 30))
    log.info("epoch %d: eval mse %.4f", epoch, np.mean((x @ (w - rule)) ** 2))
np.save("w.npy", w)
log.info("finished: 3 epochs, 600 steps, weights in w.npy")
