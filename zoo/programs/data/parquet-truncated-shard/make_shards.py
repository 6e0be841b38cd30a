"""Writes four Parquet shards for the run."""
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

rng = np.random.default_rng(6)
for shard in range(4):
    table = pa.table({"x": rng.normal(size=4000), "y": rng.normal(size=4000), "label": rng.integers(0, 3, 4000)})
    pq.write_table(table, f"part-{shard:03d}.parquet", compression="snappy", write_page_checksum=True)

raw = open("part-002.parquet", "rb").read()
open("part-002.parquet", "wb").write(raw[: len(raw) // 2])
