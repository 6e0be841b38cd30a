"""Reads a table whose target column was renamed upstream."""
import logging

import numpy as np
import pandas as pd

logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(levelname)s] %(message)s")
rng = np.random.default_rng(0)
frame = pd.DataFrame({"age": rng.integers(18, 80, 500), "failed_logins": rng.poisson(1, 500), "target": rng.integers(0, 2, 500)})
frame.loc[::50, "age"] = np.nan
logging.info("columns: %s", list(frame.columns))
logging.warning("age: %d NaN values filled with the median", frame["age"].isna().sum())
frame["age"] = frame["age"].fillna(frame["age"].median())
features = frame.drop(columns="target")
labels = frame["label"].astype(int)
logging.info("training on %d rows, %d features, positives %.2f", len(features), features.shape[1], labels.mean())
