import sys

import numpy as np
import xgboost as xgb

rng = np.random.default_rng(0)
data = xgb.DMatrix(rng.normal(size=(300, 5)), rng.normal(size=300))
if "--save" in sys.argv:
    xgb.train({"max_depth": 3}, data, 20).save_model("round20.json")
    raise SystemExit
print("continuing from round20.json")
booster = xgb.Booster(model_file="round20.json")
xgb.train({"max_depth": 3}, data, 20, xgb_model=booster)
