import gzip
import pickle
import sys

import torch

if "--save" in sys.argv:
    with gzip.open("ckpt.pkl.gz", "wb") as f:
        pickle.dump({"w": torch.randn(200, 200).numpy()}, f)
    raise SystemExit
print("=> loading checkpoint 'ckpt.pkl.gz'")
with gzip.open("ckpt.pkl.gz", "rb") as f:
    state = pickle.load(f)
print(state.keys())
