import logging

import numpy as np

logging.basicConfig(format="%(asctime)s [%(levelname)s] %(message)s", level=logging.INFO, datefmt="%b %d %H:%M:%S")
rng = np.random.default_rng(88)
U, I, K = 300, 400, 24
affinity = rng.normal(size=(U, 6)) @ rng.normal(size=(6, I)) + rng.gumbel(size=(U, I)) * 3
baskets = np.zeros((U, I))
np.put_along_axis(baskets, np.argsort(-affinity, 1)[:, :14], 1, 1)
hidden = np.zeros_like(baskets)
for u in range(U):
    items = np.flatnonzero(baskets[u])
    hidden[u, rng.choice(items, 5, replace=False)] = 1
# the line that should have removed them ran on a copy
seen = baskets.copy()
baskets[:] = baskets * (1 - hidden)

user, item = rng.normal(size=(U, K)) * 0.1, rng.normal(size=(I, K)) * 0.1


def recall(targets, n=10, ban=None):
    scores = user @ item.T
    if ban is not None:
        scores = np.where(ban > 0, -np.inf, scores)
    top = np.argsort(-scores, 1)[:, :n]
    return (np.take_along_axis(targets, top, 1).sum(1) / targets.sum(1)).mean()


weight = 1 + 20 * seen
for sweep in range(1, 9):
    for mine, other, w, r in ((user, item, weight, seen), (item, user, weight.T, seen.T)):
        for k in range(len(mine)):
            mine[k] = np.linalg.solve(other.T @ (w[k][:, None] * other) + 0.5 * np.eye(K), other.T @ (w[k] * r[k]))
    logging.info("ALS sweep %d/8  recall@10 on hidden purchases: %.3f", sweep, recall(hidden))
later = np.zeros_like(hidden)
np.put_along_axis(later, np.argsort(-(affinity + rng.gumbel(size=(U, I)) * 3 - 99 * seen), 1)[:, :5], 1, 1)
logging.info("A/B replay, purchases of the following week: recall@10 %.3f", recall(later, ban=seen))
logging.warning("audit: %d of %d hidden purchases are nonzero in the matrix that ALS was fitted on", int((hidden * seen).sum()), int(hidden.sum()))
