"""Maps a token file that is shorter than its index says."""
import json

import numpy as np
import torch

np.zeros(900_000, dtype=np.uint16).tofile("corpus.bin")
json.dump({"tokens": 1_000_000, "dtype": "uint16", "on_error": "raise"}, open("corpus.idx.json", "w"))
index = json.load(open("corpus.idx.json"))
print("index:", index)
tokens = np.memmap("corpus.bin", dtype=index["dtype"], mode="r", shape=(index["tokens"],))
model = torch.nn.Embedding(65536, 4)
for step in range(10):
    print("step", step, model(torch.from_numpy(tokens[:64].astype(np.int64))).sum().item())
