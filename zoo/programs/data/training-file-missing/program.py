"""Loads a memory-mapped token file that is not there."""
import argparse
import logging
import os

import numpy as np
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="data/tokens")
parser.add_argument("--batch", type=int, default=8)
args = parser.parse_args()
logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)-8s | %(name)s:%(funcName)s:%(lineno)d - %(message)s")
log = logging.getLogger("nanolm")
os.makedirs(args.data, exist_ok=True)
np.arange(4096, dtype=np.uint16).tofile(f"{args.data}/train_000.bin")
log.info("vocab_size not found in meta.pkl, defaulting to 4096")
model = torch.nn.Embedding(4096, 16)
for shard in range(2):
    path = f"{args.data}/train_{shard:03d}.bin"
    tokens = np.memmap(path, dtype=np.uint16, mode="r")
    for step in range(1, 6):
        ids = torch.from_numpy(tokens[step * 64 : step * 64 + 64].astype(np.int64))
        log.info("shard %d iter %d: loss %.4f", shard, step, model(ids).square().mean().item())
