"""Reads cached Arrow features; one cache file was never finished."""
import sys

import pyarrow as pa
import torch

w = torch.zeros(4, requires_grad=True)
step = 0
for part in range(5):
    print(f"INFO feature-cache open cache/part{part}.arrow", file=sys.stderr, flush=True)
    with pa.memory_map(f"cache/part{part}.arrow") as source:
        table = pa.ipc.open_file(source).read_all()
    x = torch.stack([torch.tensor(table[f"f{k}"].to_pylist()) for k in range(4)], 1)
    for start in range(0, len(x), 100):
        loss = (x[start : start + 100] @ w - x[start : start + 100].sum(1)).square().mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.05 * w.grad
            w.grad = None
        step += 1
        print(f"INFO train step={step} loss={loss.item():.5f} cache_errors=0", flush=True)
