import numpy as np
import xgboost as xgb

rng = np.random.default_rng(0)
x, y = rng.normal(size=(200, 5)), rng.integers(0, 3, 200)
params = {"objective": "multi:softmaxx", "num_class": 3, "eta": 0.1}
booster = xgb.train(params, xgb.DMatrix(x, y), num_boost_round=20, evals=[(xgb.DMatrix(x, y), "train")])
print(booster)
