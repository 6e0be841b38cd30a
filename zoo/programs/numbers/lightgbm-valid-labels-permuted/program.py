import lightgbm as lgb
import numpy as np

rng = np.random.default_rng(8)
x = rng.normal(size=(1600, 10))
y = (x[:, 0] + x[:, 2] * x[:, 3] > 0).astype(int)
labels = y.copy()
labels[1100:] = 1 - labels[1100:]  # sorted differently: the wrong column was taken for the answer
train, valid = lgb.Dataset(x[:1100], labels[:1100]), lgb.Dataset(x[1100:], labels[1100:])
lgb.train({"objective": "binary", "verbose": -1, "learning_rate": 0.05, "metric": "binary_logloss"}, train, 150, valid_sets=[train, valid], valid_names=["training", "valid"], callbacks=[lgb.log_evaluation(5)])
