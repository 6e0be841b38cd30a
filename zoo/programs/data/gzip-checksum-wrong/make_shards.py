"""Writes the gzip shards."""
import gzip
import random

random.seed(0)
for shard in range(6):
    with gzip.open(f"shard-{shard:05d}.csv.gz", "wt") as file:
        for _ in range(1000):
            file.write(",".join(f"{random.gauss(0, 1):.4f}" for _ in range(8)) + "\n")

raw = bytearray(open("shard-00003.csv.gz", "rb").read())
raw[-8:-4] = b"\x00\x01\x02\x03"
open("shard-00003.csv.gz", "wb").write(raw)
