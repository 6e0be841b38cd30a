"""A join left targets without a value."""
import sys

import numpy as np
import xgboost

rng = np.random.default_rng(2)
x = rng.normal(size=(300, 4))
y = x[:, 0] + 1
y[[7, 81]] = np.nan
print("rows 300, features 4, missing=nan, nan_mode=default", file=sys.stderr, flush=True)
matrix = xgboost.DMatrix(x, y)
xgboost.train({"nthread": 1}, matrix, 5)
