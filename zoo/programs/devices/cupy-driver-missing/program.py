import logging

import cupy as cp
import numpy as np

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(asctime)s %(module)s: %(message)s")
logging.info("cupy %s, building the index of 4096 vectors", cp.__version__)
rows = np.random.default_rng(0).normal(size=(4096, 64)).astype(np.float32)
gpu = cp.asarray(rows)
logging.info("on device: %s", gpu.shape)
