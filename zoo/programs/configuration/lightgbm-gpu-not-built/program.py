import lightgbm as lgb
import numpy as np

rng = np.random.default_rng(0)
x, y = rng.normal(size=(400, 6)), rng.normal(size=400)
params = {"objective": "regression", "device_type": "cuda", "num_leaves": 15}
booster = lgb.train(params, lgb.Dataset(x, y), num_boost_round=20)
print(booster.num_trees())
