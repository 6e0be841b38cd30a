import sys

import torch
import torch.distributed.checkpoint as dcp

if "--save" in sys.argv:
    dcp.save({"model": torch.nn.Linear(64, 64).state_dict()}, checkpoint_id="ckpt")
    raise SystemExit
net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.LayerNorm(64))
print("resuming", flush=True)
dcp.load({"model": net.state_dict()}, checkpoint_id="ckpt")
