"""Activations are kept from step to step until the device is full."""
import sys

import torch

if torch.cuda.device_count() < 1:
    sys.exit("needs a CUDA device: skipped")

torch.cuda.set_per_process_memory_fraction(0.02)
model = torch.nn.Linear(4096, 4096).cuda()
kept = []
for step in range(1, 2000):
    out = model(torch.randn(2048, 4096, device="cuda"))
    kept.append(out)
    if step % 5 == 0:
        print(f"step {step} loss {out.square().mean().item():.4f}", flush=True)
