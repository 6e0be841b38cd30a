import logging
import os

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("ridge")
log.info("starting on %s cores, OMP_NUM_THREADS=%s", os.cpu_count(), os.environ["OMP_NUM_THREADS"])
import numpy as np  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: E402
from sklearn.linear_model import RidgeCV  # noqa: E402

rng = np.random.default_rng(0)
x = rng.normal(size=(2000, 60))
y = x @ rng.normal(size=60)
log.info("matrix %s", x.shape)
log.info("ridge R2 %.3f", RidgeCV().fit(x, y).score(x, y))
model = HistGradientBoostingRegressor(max_iter=50, verbose=1).fit(x, y)
log.info("boosting R2 %.3f", model.score(x, y))
