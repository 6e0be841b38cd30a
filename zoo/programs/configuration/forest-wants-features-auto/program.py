import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

rng = np.random.default_rng(21)
table = pd.DataFrame(rng.normal(size=(900, 6)), columns=["age", "bmi", "sugar", "pressure", "pulse", "score"])
outcome = (table["sugar"] + 0.5 * table["bmi"] > 0.3).astype(int)
table = table.mask(rng.random(table.shape) < 0.05)
print(table.describe().round(2).to_string())
if table.isna().any().any():
    warnings.warn(f"{int(table.isna().sum().sum())} missing values will be imputed", stacklevel=1)
for trees in (50, 100):
    settings = {"n_estimators": trees, "max_features": "auto", "min_samples_leaf": 3, "random_state": 0}
    print("fitting", settings, flush=True)
    model = make_pipeline(SimpleImputer(), RandomForestClassifier(**settings))
    scores = cross_val_score(model, table, outcome, cv=3, scoring="roc_auc", error_score="raise")
    print(f"{trees} trees: auc {scores.mean():.3f} +- {scores.std():.3f}", flush=True)
