"""Writes the feature cache; the fourth file has no footer."""
from pathlib import Path

import numpy as np
import pyarrow as pa

Path("cache").mkdir()
rng = np.random.default_rng(1)
for part in range(5):
    table = pa.table({f"f{k}": rng.normal(size=500).astype("float32") for k in range(4)})
    with pa.OSFile(f"cache/part{part}.arrow", "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
raw = Path("cache/part3.arrow").read_bytes()
Path("cache/part3.arrow").write_bytes(raw[:-300])
