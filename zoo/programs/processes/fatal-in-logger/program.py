import logging
import sys

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
for step in range(10, 60, 10):
    logging.info("step %d loss %.4f", step, 3 / step)
logging.critical("learning-rate finder returned nothing usable, giving up")
sys.exit(4)
