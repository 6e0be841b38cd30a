import json
import logging
import sys

import numpy as np
import xgboost as xgb

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="[%(levelname)s] %(asctime)s - %(message)s")
params = json.load(open("params.json"))
rng = np.random.default_rng(5)
x = rng.normal(size=(4000, 12))
y = (x[:, 0] * x[:, 1] + rng.normal(scale=0.4, size=4000) > 0).astype(int)
logging.info("churn model, %d rows, %d features", *x.shape)
logging.info("xgboost %s, parameters %s", xgb.__version__, params)
train, valid = xgb.DMatrix(x[:3000], y[:3000]), xgb.DMatrix(x[3000:], y[3000:])
booster = xgb.train(params, train, num_boost_round=80, evals=[(valid, "valid")], verbose_eval=10)
booster.save_model("churn.ubj")
logging.info("saved churn.ubj")
