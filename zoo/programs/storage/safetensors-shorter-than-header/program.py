import sys

import torch
from safetensors.torch import load_file, save_file

net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Linear(128, 4))
if "--save" in sys.argv:
    save_file(net.state_dict(), "model.safetensors")
    raise SystemExit
print("loading model.safetensors")
net.load_state_dict(load_file("model.safetensors"))
print("ok")
