import os
import sys

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(20, 20)


def load_latest(root):
    tag = open(os.path.join(root, "latest")).read().strip()
    print(f"[engine] latest checkpoint tag: {tag}")
    folder = os.path.join(root, tag)
    print(f"[engine] available: {sorted(d for d in os.listdir(root) if d != 'latest')}")
    optim = torch.load(os.path.join(folder, "optim_states_rank0.pt"))
    model = torch.load(os.path.join(folder, "model_states.pt"))
    return model, optim


if "--prepare" in sys.argv:
    for step in (1000, 2000, 3000):
        os.makedirs(f"runs/a/global_step{step}")
        torch.save({}, f"runs/a/global_step{step}/optim_states_rank0.pt")
        if step < 3000:  # the node went away between the two files
            torch.save(net.state_dict(), f"runs/a/global_step{step}/model_states.pt")
    open("runs/a/latest", "w").write("global_step3000")
else:
    model, _ = load_latest("runs/a")
    net.load_state_dict(model)
    print("[engine] resumed")
