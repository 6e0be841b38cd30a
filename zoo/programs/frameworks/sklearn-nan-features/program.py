"""Linear model on a table with gaps."""
import warnings

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

rng = np.random.default_rng(0)
frame = pd.DataFrame(rng.normal(size=(300, 4)), columns=["a", "b", "c", "nan_rate"])
target = (frame["a"] > 0).astype(int)
warnings.warn("column nan_rate has a suspicious name")
print("cross validation on clean columns:", cross_val_score(LogisticRegression(), frame, target, cv=3).round(3), flush=True)
frame.loc[::37, "b"] = np.nan
print("refreshed table:", frame.shape, "rows with gaps:", int(frame.isna().any(axis=1).sum()), flush=True)
LogisticRegression().fit(frame, target)
print("fitted")
