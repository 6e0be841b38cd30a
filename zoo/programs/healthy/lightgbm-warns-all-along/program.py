"""Boosting on few rows: LightGBM warns at every round."""
import lightgbm
import numpy as np

rng = np.random.default_rng(7)
x = rng.normal(size=(90, 5))
y = (x[:, 0] + rng.normal(size=90) > 0).astype(int)
fit, held = lightgbm.Dataset(x[:60], y[:60]), lightgbm.Dataset(x[60:], y[60:])
booster = lightgbm.train({"objective": "binary", "metric": ["binary_logloss", "binary_error"], "num_threads": 1, "learning_rate": 0.1}, fit, 15, valid_sets=[held], callbacks=[lightgbm.log_evaluation(1)])
print("trees", booster.num_trees(), "finished")
