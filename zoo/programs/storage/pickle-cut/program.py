import pickle
import sys

import torch

state = {"step": 12_000, "moments": [torch.randn(50, 50).numpy() for _ in range(20)], "rng": list(range(5000))}
if "--write" in sys.argv:
    with open("optimizer.pkl", "wb") as f:
        pickle.dump(state, f)
    raise SystemExit
print("model weights ok, reading optimizer.pkl")
with open("optimizer.pkl", "rb") as f:
    state = pickle.load(f)
print("resuming at step", state["step"])
