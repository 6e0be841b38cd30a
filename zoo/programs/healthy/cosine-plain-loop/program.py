"""A plain loop with cosine decay, validation and hyperparameters that sound like failures."""
import argparse
import math

import torch

parser = argparse.ArgumentParser()
for name, default in {"max_grad_norm": 1.0, "skip_nan": 1, "kill_timeout": 30, "max_failed_batches": 0, "oom_retries": 2, "abort_on_inf": 1}.items():
    parser.add_argument(f"--{name}", type=type(default), default=default)
args = parser.parse_args()
print(args)
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(10, 24), torch.nn.GELU(), torch.nn.Linear(24, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
valid = torch.randn(300, 10)
for step in range(1, 601):
    for group in optimizer.param_groups:
        group["lr"] = 5e-3 * (1 + math.cos(math.pi * step / 600))
    x = torch.randn(64, 10)
    loss = torch.nn.functional.cross_entropy(model(x), x[:, :3].argmax(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
    optimizer.step()
    if step % 30 == 0:
        print(f"step {step:4d}/600 | loss {loss.item():.4f} | lr {optimizer.param_groups[0]['lr']:.2e} | skipped 0", flush=True)
    if step % 150 == 0:
        with torch.no_grad():
            error = (model(valid).argmax(1) != valid[:, :3].argmax(1)).float().mean()
        print(f"valid error {error:.3f} (best error so far)", flush=True)
print("training finished, exit code 0")
