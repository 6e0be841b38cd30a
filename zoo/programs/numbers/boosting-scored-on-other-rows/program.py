import numpy as np
import xgboost as xgb

rng = np.random.default_rng(5)
x, vx = rng.normal(size=(3000, 12)), rng.normal(size=(800, 12))
y, vy = (x[:, :3].sum(1) > 0).astype(int), (vx[:, :3].sum(1) > 0).astype(int)
vx = vx[np.argsort(vx[:, 0])]  # sorted for a merge, the labels were not
data, valid = xgb.DMatrix(x, y), xgb.DMatrix(vx, vy)
model = xgb.train(
    {"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "max_depth": 6, "eta": 0.3, "nthread": 1}, data, 60,
    evals=[(data, "train"), (valid, "validation")], verbose_eval=5,
)
model.save_model("model.json")
print("model written to model.json")
