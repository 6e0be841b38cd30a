"""The positive class was filtered away."""
import logging

import numpy as np
from sklearn.linear_model import LogisticRegression

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
rng = np.random.default_rng(5)
x = rng.normal(size=(200, 3))
y = np.zeros(200, int)
logging.info("labels after filtering: %s", np.bincount(y, minlength=2).tolist())
LogisticRegression().fit(x, y)
