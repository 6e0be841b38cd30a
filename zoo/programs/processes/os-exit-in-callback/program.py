import os

import torch

for step in range(1, 101):
    loss = torch.rand(()).item()
    print(f"{step}/100 loss={loss:.3f}", flush=True)
    if step == 37:
        os._exit(66)
