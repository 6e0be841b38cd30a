"""Prints tables full of NaN, with columns named after failures."""
import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

rng = np.random.default_rng(0)
frame = pd.DataFrame({"age": rng.normal(40, 9, 500), "error_code": rng.choice(["E1", "E2", None], 500), "failed": rng.integers(0, 2, 500), "nan": np.nan})
frame.loc[::7, "age"] = np.nan
print(frame.describe(include="all"))
print(frame.isna().mean())
features = frame[["age"]].assign(code=frame["error_code"].astype("category").cat.codes)
model = HistGradientBoostingClassifier(max_iter=15, verbose=1, early_stopping=True, random_state=0).fit(features, frame["failed"])
print("score", round(model.score(features, frame["failed"]), 3))
