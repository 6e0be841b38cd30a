"""Predicts with a column fewer than the model was trained on."""
import logging

import lightgbm
import numpy as np

logging.basicConfig(level=logging.INFO, format="%(message)s")
rng = np.random.default_rng(3)
x = rng.normal(size=(400, 10))
booster = lightgbm.train({"objective": "regression", "num_threads": 1, "verbosity": 1}, lightgbm.Dataset(x, x[:, 0]), num_boost_round=10)
logging.info("scoring the nightly table")
booster.predict(rng.normal(size=(20, 9)))
