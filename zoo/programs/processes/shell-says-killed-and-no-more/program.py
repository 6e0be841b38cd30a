import sys
import time

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

rng = np.random.default_rng(9)
x = rng.normal(size=(1500, 40))
y = (x[:, :5].sum(axis=1) + rng.normal(size=1500) > 0).astype(int)
print(f"{sys.argv[1:]} {x.shape[0]} rows", flush=True)
for c in (0.1, 1.0, 10.0, 100.0):
    for fold, (train, test) in enumerate(KFold(5).split(x), 1):
        model = LogisticRegression(C=c).fit(x[train], y[train])
        print(f"C={c} fold {fold} accuracy {model.score(x[test], y[test]):.4f}", flush=True)
        time.sleep(0.3)
