"""Boosting with early stopping and missing values."""
import numpy as np
import xgboost

rng = np.random.default_rng(0)
x = rng.normal(size=(1200, 8))
x[rng.random(x.shape) < 0.1] = np.nan
y = 2 * np.nan_to_num(x[:, 0]) + 0.3 * rng.normal(size=1200)
train, valid = xgboost.DMatrix(x[:900], y[:900]), xgboost.DMatrix(x[900:], y[900:])
booster = xgboost.train({"eta": 0.3, "max_depth": 3, "nthread": 1, "eval_metric": ["mae", "rmse"], "unused_flag": True}, train, 200, [(train, "train"), (valid, "valid")], early_stopping_rounds=6)
print("best iteration", booster.best_iteration, "error", round(booster.best_score, 4))
