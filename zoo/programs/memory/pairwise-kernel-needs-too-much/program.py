import logging
import sys

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeCV
from sklearn.metrics.pairwise import rbf_kernel

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s,%(name)s,%(levelname)s,%(message)s")
log = logging.getLogger("kernels")
rng = np.random.default_rng(0)
for name, rows in (("small", 2000), ("medium", 6000), ("full", 60000)):
    x = rng.normal(size=(rows, 10))
    log.info("%s: %d rows, exact kernel ridge", name, rows)
    if rows < 10000:
        approx = Nystroem(n_components=50, random_state=0).fit_transform(x)
        log.info("%s: nystroem R2 %.4f", name, RidgeCV().fit(approx, x[:, 0]).score(approx, x[:, 0]))
    kernel = rbf_kernel(x)
    log.info("%s: kernel %s, %.0f MB", name, kernel.shape, kernel.nbytes / 1e6)
    del kernel
