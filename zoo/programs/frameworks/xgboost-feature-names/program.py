"""Scores a table whose columns are in another order."""
import numpy as np
import pandas as pd
import xgboost

rng = np.random.default_rng(1)
names = ["age", "visits", "errors", "spend"]
train = pd.DataFrame(rng.normal(size=(400, 4)), columns=names)
booster = xgboost.train({"nthread": 1, "max_depth": 2}, xgboost.DMatrix(train, train["age"] * 2), num_boost_round=10, evals=[(xgboost.DMatrix(train, train["age"] * 2), "train")])
fresh = train[["visits", "age", "failures"]] if "failures" in train else train[["visits", "age", "errors", "spend"]].rename(columns={"errors": "failures"})
print("scoring", list(fresh.columns), flush=True)
print(booster.predict(xgboost.DMatrix(fresh))[:5])
