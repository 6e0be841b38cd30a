import logging

import boto3
import numpy as np

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
log = logging.getLogger("train")
rng = np.random.default_rng(0)
w = np.zeros(32)
s3 = boto3.client("s3", region_name="eu-west-1")
for step in range(1, 301):
    x = rng.normal(size=(16, 32))
    err = x @ w - x.sum(1)
    w -= 0.01 * x.T @ err / 16
    if step % 50 == 0:
        log.info("step %d mse %.5f", step, (err**2).mean())
np.save("weights.npy", w)
log.info("uploading weights.npy to s3://team-models/linear/weights.npy")
s3.upload_file("weights.npy", "team-models", "linear/weights.npy")
log.info("uploaded")
