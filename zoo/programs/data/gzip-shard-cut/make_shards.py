"""Writes the gzip shards."""
import gzip
import random

random.seed(0)
for shard in range(6):
    with gzip.open(f"shard-{shard:05d}.csv.gz", "wt") as file:
        for _ in range(1000):
            file.write(",".join(f"{random.gauss(0, 1):.4f}" for _ in range(8)) + "\n")

raw = open("shard-00004.csv.gz", "rb").read()
open("shard-00004.csv.gz", "wb").write(raw[: len(raw) * 6 // 10])
