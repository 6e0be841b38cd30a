"""Asks a finite stream for more batches than it has."""
import sys

import torch


def stream(samples):
    for index in range(samples):
        yield torch.tensor([float(index % 7), 1.0])


source = stream(1530)
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
print("planned steps: 200, batch 10, samples expected: 2000", file=sys.stderr)
for step in range(1, 201):
    batch = torch.stack([next(source) for _ in range(10)])
    loss = (model(batch) - batch[:, :1]).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 9 == 0:
        print(f"step {step} of 200: loss {loss.item():.4f}", flush=True)
print("done")
