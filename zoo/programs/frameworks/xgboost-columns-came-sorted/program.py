import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.metrics import r2_score

rng = np.random.default_rng(61)
n = 3000
homes = pd.DataFrame({"rooms": rng.integers(1, 8, n), "area": rng.gamma(9, 10, n), "age": rng.integers(0, 90, n), "floor": rng.integers(0, 12, n), "distance": rng.gamma(2, 4, n), "garden": rng.gamma(1.5, 40, n)})
rent = 4 * homes.area + 60 * homes.rooms - 9 * homes.distance - 1.1 * homes.age + 0.3 * homes.garden + rng.normal(0, 25, n)
a, b = homes[:2200], homes[2200:2600]
b.columns.name = None
b = b.sort_index(axis=1)  # the feature service answers in alphabetical order
train, valid = xgb.DMatrix(a.to_numpy(), rent[:2200]), xgb.DMatrix(b.to_numpy(), rent[2200:2600])
booster = xgb.train({"eta": 0.1, "max_depth": 5, "eval_metric": "rmse", "seed": 1}, train, 120, evals=[(train, "train"), (valid, "valid")], verbose_eval=10)
print(f"rent: mean {rent.mean():.0f}, standard deviation {rent.std():.0f}")
for name, frame, y in (("train", a, rent[:2200]), ("valid", b, rent[2200:2600]), ("rest, never used", homes[2600:], rent[2600:])):
    print(f"R2 {name}: {r2_score(y, booster.predict(xgb.DMatrix(frame.to_numpy()))):+.3f}  columns {list(frame.columns)}")
