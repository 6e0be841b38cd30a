"""Fits a stump ensemble, then the deep one that was asked for."""
import argparse

import numpy as np
import xgboost as xgb

parser = argparse.ArgumentParser()
parser.add_argument("--max-depth", type=int, default=6)
args = parser.parse_args()
rng = np.random.default_rng(1)
x = rng.normal(size=(800, 6))
table = xgb.DMatrix(x, (x[:, 0] * x[:, 1] > 0).astype(int))
for name, depth in (("stumps", 1), ("deep", args.max_depth)):
    print(f"-- {name} --", flush=True)
    xgb.train(
        {"objective": "binary:logistic", "max_depth": depth, "nthread": 1},
        table,
        num_boost_round=15,
        evals=[(table, "train")],
        verbose_eval=5,
    )
