"""Wrote the files beside it, with torch 2.13: python make.py FOLDER."""

import sys
from pathlib import Path

import torch
from torch import nn

folder = Path(sys.argv[1])
torch.manual_seed(0)
model = nn.Linear(8, 4)
optimizer = torch.optim.AdamW(model.parameters())
model(torch.ones(2, 8)).sum().backward()
optimizer.step()
state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "rng_state": torch.get_rng_state()}
torch.save(state | {"step": 100}, folder / "step_100.pt")
model.weight.data[1, 2] = float("nan")
model.weight.data[0, 0] = float("inf")
torch.save({"model": model.state_dict(), "step": 200}, folder / "step_200.pt")
torch.save(model.to(torch.bfloat16).state_dict(), folder / "bf16.pt", pickle_protocol=4)
torch.save(model.to(torch.float16).state_dict(), folder / "legacy.pt", _use_new_zipfile_serialization=False)
