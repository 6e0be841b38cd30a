"""Writes shards of 16-bit token ids; a byte is lost at the end of the fourth."""
import numpy as np

rng = np.random.default_rng(0)
for shard in range(6):
    ids = rng.integers(0, 64, 4096).astype("<u2").tobytes()
    open(f"tokens.{shard}.bin", "wb").write(ids[:-1] if shard == 3 else ids)
