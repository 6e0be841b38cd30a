"""Asks LightGBM to stop early without a validation set."""
import lightgbm
import numpy as np

rng = np.random.default_rng(0)
x = rng.normal(size=(500, 6))
y = (x[:, 0] > 0).astype(int)
print("[params] objective=binary metric=binary_error early_stopping=5", flush=True)
lightgbm.train({"objective": "binary", "metric": "binary_error", "num_threads": 1}, lightgbm.Dataset(x, y), num_boost_round=50, callbacks=[lightgbm.early_stopping(5)])
