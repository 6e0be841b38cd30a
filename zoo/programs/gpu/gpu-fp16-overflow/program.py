"""Half precision without loss scaling: squares overflow at 65504."""
import sys

import torch

if torch.cuda.device_count() < 1:
    sys.exit("needs a CUDA device: skipped")

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1)).cuda().half()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(1, 200):
    x = torch.randn(128, 64, device="cuda", dtype=torch.float16) * (1 + step / 2)
    loss = (model(x) * 100).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"step {step} loss {loss.item():.4f}", flush=True)
