import numpy as np
import xgboost as xgb

rng = np.random.default_rng(30)
x = rng.normal(size=(700, 25))
y = ((x[:, 0] - x[:, 1] + 2.2 * rng.normal(size=700)) > 0).astype(int)
train, valid = xgb.DMatrix(x[:400], y[:400]), xgb.DMatrix(x[400:], y[400:])
params = {"objective": "binary:logistic", "eval_metric": ["error", "logloss"], "eta": 0.6, "max_depth": 12, "min_child_weight": 0, "lambda": 0, "nthread": 1, "seed": 1}
print(params)
xgb.train(params, train, 80, evals=[(train, "train"), (valid, "valid")], verbose_eval=2).save_model("model.ubj")
print("model.ubj written (80 rounds)")
