import logging

import h5py
import numpy as np

logging.basicConfig(level=logging.INFO, format="%(levelname)s\t%(message)s")
rng = np.random.default_rng(14)
ratings = rng.integers(1, 6, (80, 50)).astype(float)
seen = rng.random(ratings.shape) < 0.3
users, items = rng.normal(0, 0.1, (80, 6)), rng.normal(0, 0.1, (50, 6))
scores = []
for sweep in range(1, 31):
    error = np.where(seen, users @ items.T + 3 - ratings, 0)
    users, items = users - 0.01 * error @ items, items - 0.01 * error.T @ users
    scores.append(np.sqrt((error**2).sum() / seen.sum()))
    if sweep % 5 == 0:
        logging.info("sweep %d rmse %.4f", sweep, scores[-1])
logging.info("appending %d results to history.h5", len(scores))
with h5py.File("history.h5", "a") as file:
    kept = file["rmse"]
    kept.resize((len(kept) + len(scores),))
    kept[-len(scores) :] = scores
logging.info("done")
