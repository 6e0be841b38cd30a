import os
import pathlib
import sys

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 32)
opt = torch.optim.Adam(net.parameters())
root = pathlib.Path("checkpoints")


def save(tag, whole=True):
    folder = root / tag
    folder.mkdir(parents=True, exist_ok=True)
    torch.save({"module": net.state_dict(), "dp_world_size": 2, "mp_world_size": 1}, folder / "mp_rank_00_model_states.pt")
    for rank in range(2 if whole else 1):
        torch.save({"optimizer_state_dict": opt.state_dict()}, folder / f"zero_pp_rank_{rank}_mp_rank_00_optim_states.pt")
    (root / "latest").write_text(tag)


if sys.argv[1:] == ["--make"]:
    save("global_step100")
    save("global_step200")
    save("global_step300", whole=False)  # the node left before its second rank had written
    sys.exit()

tag = (root / "latest").read_text().strip()
print(f"Resuming from {root / tag}", flush=True)
state = torch.load(root / tag / "mp_rank_00_model_states.pt")
net.load_state_dict(state["module"])
for rank in range(state["dp_world_size"]):
    path = root / tag / f"zero_pp_rank_{rank}_mp_rank_00_optim_states.pt"
    print(f"rank {rank}: loading {path}", flush=True)
    opt.load_state_dict(torch.load(path)["optimizer_state_dict"])
