import sys

import lightgbm as lgb
import numpy as np

rng = np.random.default_rng(0)
x, y = rng.normal(size=(400, 6)), rng.normal(size=400)
if "--save" in sys.argv:
    lgb.train({"verbose": -1}, lgb.Dataset(x, y), 30).save_model("model.txt")
    raise SystemExit
print("continuing from model.txt")
booster = lgb.Booster(model_file="model.txt")
print(booster.num_trees())
