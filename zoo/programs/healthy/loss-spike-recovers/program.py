"""One poor stretch of data makes the loss jump; it comes back."""
import time

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(10, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(1, 1201):
    x = torch.randn(64, 10)
    y = x[:, :3].sum(1, keepdim=True) + 0.1 * torch.randn(64, 1)
    if 600 <= step < 612:
        y = -6 * y
    loss = (model(x) - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 20 == 0 or 598 <= step <= 620:
        print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} step={step} loss={loss.item():.4f} grad_norm={norm:.3f} lr=3.0e-03", flush=True)
print("finished 1200 steps")
