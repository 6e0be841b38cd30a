import os

import numpy as np

os.makedirs("shards", exist_ok=True)
rng = np.random.default_rng(0)
for i in range(7):
    x = rng.normal(size=(400, 10))
    np.savez(f"shards/shard-{i:02d}.npz", x=x, y=x @ np.arange(10) + rng.normal(size=400))
