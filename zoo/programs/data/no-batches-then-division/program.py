"""The epoch average divides by a number of batches that is zero."""
from pathlib import Path

import torch

root = Path("data/v3")
root.mkdir(parents=True)
for index in range(30):
    torch.save(torch.randn(16, 4), root / f"chunk_{index:03d}.pt")
files = sorted(root.glob("*.bin"))
print(f"[loader] {root}: {len(files)} chunks match *.bin")
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    total, batches = 0.0, 0
    for path in files:
        x = torch.load(path)
        loss = (net(x) - x.mean(1, keepdim=True)).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        batches += 1
    print(f"[train] epoch {epoch} mean loss {total / batches:.4f}")
