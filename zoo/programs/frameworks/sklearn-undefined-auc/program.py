"""Scores a validation split that holds one class only."""
import logging

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
rng = np.random.default_rng(0)
x = rng.normal(size=(900, 5))
y = (x[:, 0] + 0.3 * rng.normal(size=900) > 0).astype(int)
order = np.argsort(-y, kind="stable")
x, y = x[order], y[order]
for size in (200, 400, 700):
    model = LogisticRegression().fit(x[:size], y[:size]) if len(set(y[:size])) > 1 else None
    logging.info("train rows %d positives %.2f", size, y[:size].mean())
auc = roc_auc_score(y[700:], model.predict_proba(x[700:])[:, 1])
logging.info("valid rows 200 positives %.2f auc %s accuracy %.3f", y[700:].mean(), auc, accuracy_score(y[700:], model.predict(x[700:])))
logging.info("finished")
