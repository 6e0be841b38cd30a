"""A label equals the number of classes."""
import sys

import torch

if torch.cuda.device_count() < 1:
    sys.exit("needs a CUDA device: skipped")

torch.manual_seed(0)
model = torch.nn.Linear(32, 10).cuda()
for step in range(1, 40):
    y = torch.randint(0, 10, (64,), device="cuda")
    if step == 23:
        y[5] = 10
    loss = torch.nn.functional.cross_entropy(model(torch.randn(64, 32, device="cuda")), y)
    loss.backward()
    print(f"step {step} loss {loss.item():.4f}", flush=True)
