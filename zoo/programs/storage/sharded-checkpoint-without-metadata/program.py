import sys

import torch
import torch.distributed.checkpoint as dcp

net = torch.nn.Linear(64, 64)
state = {"model": net.state_dict()}
if "--save" in sys.argv:
    dcp.save(state, checkpoint_id="ckpt/step-500")
    raise SystemExit
print("resuming from ckpt/step-500", flush=True)
dcp.load(state, checkpoint_id="ckpt/step-500")
print("resumed")
