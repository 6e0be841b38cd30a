import math

import torch
from torch import nn

torch.manual_seed(11)
rows = torch.randn(3200, 12)
w = torch.randn(12)
target = rows @ w
rows[32 * 71 + 5, 3] = float("nan")  # one sensor reading that was never filled in

model = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1))
optim = torch.optim.AdamW(model.parameters(), lr=1e-3)
print("regression on 3200 rows, batch 32, 3 epochs")
for epoch in range(3):
    running = 0.0
    for i in range(100):
        xb, yb = rows[i * 32 : i * 32 + 32], target[i * 32 : i * 32 + 32]
        mse = ((model(xb).squeeze(-1) - yb) ** 2).mean()
        optim.zero_grad()
        mse.backward()
        optim.step()
        running += mse.item()
        if i % 10 == 9 or not math.isfinite(mse.item()) and i % 10 < 2:
            print(f"epoch {epoch} batch {i + 1}/100 train_mse: {mse.item():.5f} avg: {running / (i + 1):.5f}")
    with torch.no_grad():
        val = ((model(rows[:256]).squeeze(-1) - target[:256]) ** 2).mean().item()
    print(f"epoch {epoch} finished: val_mse: {val:.5f}")
    if not math.isfinite(val):
        raise SystemExit("validation loss is not finite, giving up")
