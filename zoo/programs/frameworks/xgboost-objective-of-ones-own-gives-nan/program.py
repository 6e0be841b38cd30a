import numpy as np
import xgboost as xgb

rng = np.random.default_rng(14)
x = rng.normal(size=(1500, 8))
y = np.exp(x[:, 0] + 0.3 * rng.normal(size=1500)) - 0.95


def log_error(margin, data):
    gap = np.log1p(margin) - np.log1p(data.get_label())
    return gap / (1 + margin), np.maximum((1 - gap) / (1 + margin) ** 2, 0.3)


def score(margin, data):
    return "rmsle", float(np.sqrt(np.mean((np.log1p(margin) - np.log1p(data.get_label())) ** 2)))


train, test = xgb.DMatrix(x[:1100], y[:1100]), xgb.DMatrix(x[1100:], y[1100:])
booster = xgb.train({"eta": 0.3, "max_depth": 5, "nthread": 1, "disable_default_eval_metric": 1, "base_score": 0.5}, train, 30, obj=log_error, custom_metric=score, evals=[(train, "train"), (test, "test")])
print("share of finite predictions:", np.isfinite(booster.predict(test)).mean())
