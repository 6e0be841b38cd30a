import numpy as np
import xgboost as xgb

rng = np.random.default_rng(7)
x = rng.normal(size=(1500, 12))
y = (x[:, 0] - x[:, 1] + rng.normal(size=1500) * 0.3 > 0).astype(int)
labels = np.where(np.arange(1500) < 1000, y, 1 - y)  # the holdout was exported with the other convention
train, hold = xgb.DMatrix(x[:1000], labels[:1000]), xgb.DMatrix(x[1000:], labels[1000:])
xgb.train({"objective": "binary:logistic", "eta": 0.05, "eval_metric": "logloss"}, train, 120, evals=[(train, "train"), (hold, "eval")], verbose_eval=5)
