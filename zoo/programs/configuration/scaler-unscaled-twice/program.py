"""Unscales twice in one step when gradients are clipped by two owners."""
import torch

model = torch.nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
for step in range(1, 50):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(torch.randn(16, 6)).float().square().mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if step == 18:
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    print(f"iter {step} loss {loss.item():.4f} scale {scaler.get_scale():.0f} overflow 0", flush=True)
