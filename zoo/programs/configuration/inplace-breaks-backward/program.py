"""Changes an activation in place that the backward pass still needs."""
import sys

import torch

print("seed 0 | anomaly detection off | nan policy raise", file=sys.stderr)
torch.manual_seed(0)
w = torch.randn(6, 6, requires_grad=True)
for step in range(1, 40):
    h = torch.sigmoid(torch.randn(4, 6) @ w)
    if step == 25:
        h += 1.0
    loss = (h**2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
    print(f"step {step}: loss {loss.item():.4f}", flush=True)
