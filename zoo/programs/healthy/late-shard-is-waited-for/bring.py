"""Brings one shard after another; the third is long in coming."""
import os
import time

import numpy as np

for shard in range(5):
    while shard == 2 and not os.path.exists("shards/started"):
        time.sleep(0.2)
    if shard == 2:
        time.sleep(5)
    np.save("shards/part.tmp.npy", np.random.default_rng(shard).normal(size=(1600, 6)).astype("float32"))
    os.rename("shards/part.tmp.npy", f"shards/part-{shard}.npy")
