import logging
import threading
import time

import numpy as np

logging.basicConfig(level=logging.INFO, format="%(asctime)s.%(msecs)03d %(levelname)-5s %(threadName)s: %(message)s", datefmt="%H:%M:%S")
rng = np.random.default_rng(14)
beat = {"step": 0, "at": time.time()}
backup = threading.Lock()


def watchdog():
    while True:
        time.sleep(2)
        quiet = time.time() - beat["at"]
        if quiet > 2.5:
            logging.warning("no step for %.1f s (at step %d), possible hang; will abort at 60 s", quiet, beat["step"])


def nightly():
    time.sleep(2.5)
    with backup:
        logging.info("backup of the feature table started, readers have to wait")
        time.sleep(8)
    logging.info("backup done")


for job in (watchdog, nightly):
    threading.Thread(target=job, name=job.__name__, daemon=True).start()
truth = rng.normal(size=(50, 3))
w = np.zeros((50, 3))
for step in range(1, 301):
    with backup:
        x = rng.normal(size=(64, 50))
    error = x @ w - x @ truth - 0.3 * rng.normal(size=(64, 3))
    w -= 0.05 * x.T @ error / 64
    time.sleep(0.02)
    quiet = time.time() - beat["at"]
    if quiet > 2.5:
        logging.info("step %d came after %.1f s, going on", step, quiet)
    beat.update(step=step, at=time.time())
    if step % 25 == 0:
        logging.info("step %d/300 mse %.4f", step, np.mean(error**2))
np.save("w.npy", w)
logging.info("300 steps done, |w - truth| %.4f, wrote w.npy", np.abs(w - truth).max())
