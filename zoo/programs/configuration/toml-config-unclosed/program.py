import argparse
import tomllib

import torch

p = argparse.ArgumentParser()
p.add_argument("--config")
a = p.parse_args()
with open(a.config, "rb") as f:
    cfg = tomllib.load(f)
net = torch.nn.Linear(cfg["model"]["inputs"], cfg["model"]["outputs"])
print(net)
