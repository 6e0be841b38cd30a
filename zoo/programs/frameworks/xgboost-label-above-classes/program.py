"""Three-class boosting on labels one to three."""
import logging

import numpy as np
import xgboost

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
rng = np.random.default_rng(0)
x = rng.normal(size=(600, 5))
y = rng.integers(1, 4, 600)
logging.info("xgboost %s, rows %d, classes %s", xgboost.__version__, len(x), sorted(set(y.tolist())))
xgboost.train({"objective": "multi:softprob", "num_class": 3, "nthread": 1, "max_depth": 3}, xgboost.DMatrix(x, y), num_boost_round=20)
logging.info("done")
