import glob
import os

import torch
from torch import nn

model = nn.Linear(8, 8)
candidates = sorted(glob.glob("ckpt/epoch_*.pth"))
print("found checkpoints:", ", ".join("%s (%d B)" % (c, os.path.getsize(c)) for c in candidates))
newest = candidates[-1]
print("resuming from", newest)
model.load_state_dict(torch.load(newest, map_location="cpu"))
print("resumed")
