import lightgbm as lgb
import numpy as np
import pandas as pd

rng = np.random.default_rng(11)
frame = pd.DataFrame(rng.normal(size=(3000, 8)), columns=[f"sensor_{i}" for i in range(8)])
target = frame["sensor_0"] * 2 + np.sin(frame["sensor_3"]) + rng.normal(scale=0.2, size=3000)
train = lgb.Dataset(frame[:2400], target[:2400], free_raw_data=True)
valid = lgb.Dataset(frame[2400:], target[2400:], reference=train)
best = None
for trial, (leaves, bins) in enumerate([(15, 255), (31, 255), (31, 63), (63, 63)]):
    params = {"objective": "regression", "metric": "rmse", "num_leaves": leaves, "max_bin": bins, "verbosity": 0}
    print(f"--- trial {trial}: num_leaves={leaves} max_bin={bins}", flush=True)
    booster = lgb.train(params, train, 60, valid_sets=[valid], callbacks=[lgb.log_evaluation(20)])
    score = booster.best_score["valid_0"]["rmse"]
    print(f"trial {trial} rmse {score:.4f}", flush=True)
    best = score if best is None else min(best, score)
print("best", best)
