import numpy as np
import xgboost as xgb

rng = np.random.default_rng(8)
y, vy = rng.integers(0, 2, 900), rng.integers(0, 2, 150)
x, vx = rng.normal(size=(900, 6)) + 3.2 * y[:, None], rng.normal(size=(150, 6)) + 3.2 * vy[:, None]
data, valid = xgb.DMatrix(x, y), xgb.DMatrix(vx, vy)
model = xgb.train({"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "max_depth": 3, "nthread": 1}, data, 40, evals=[(data, "train"), (valid, "validation")], verbose_eval=4)
model.save_model("model.json")
print("model written to model.json")
