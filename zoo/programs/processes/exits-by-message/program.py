import sys

import torch

best, since = float("inf"), 0
torch.manual_seed(0)
for epoch in range(50):
    loss = 1.0 + 0.01 * torch.rand(()).item()
    print(f"epoch {epoch} loss {loss:.4f}")
    best, since = (loss, 0) if loss < best - 0.05 else (best, since + 1)
    if since == 4:
        sys.exit("FATAL: sanity check failed: optimizer state holds 0 parameters")
