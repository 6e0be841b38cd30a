"""Boosts with an objective of our own, whose debug build stops at a trap."""
import os
import signal
import sys

import lightgbm as lgb
import numpy as np

rng = np.random.default_rng(4)
x = rng.normal(size=(500, 4))
y = x[:, 0] ** 2 + x[:, 1]
rounds = 0


def pinball(prediction, data):
    global rounds
    rounds += 1
    if rounds == 47:
        os.kill(os.getpid(), signal.SIGTRAP)
    gap = prediction - data.get_label()
    return np.where(gap > 0, 0.4, -0.6), np.ones_like(gap)


lgb.train(
    {"objective": pinball, "num_threads": 1, "verbosity": -1, "metric": "l1"},
    lgb.Dataset(x, y),
    num_boost_round=int(sys.argv[2]),
    valid_sets=[lgb.Dataset(x, y)],
    callbacks=[lgb.log_evaluation(10)],
)
print("done")
