import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)
centres = 2.5 * torch.randn(10, 64)
y, vy = torch.randint(0, 10, (6000,)), torch.randint(0, 10, (1000,))
x, vx = centres[y] + torch.randn(6000, 64), centres[vy] + torch.randn(1000, 64)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.4), nn.Linear(128, 10))
opt = torch.optim.Adam(model.parameters(), 1e-3)
for epoch in range(8):
    model.train()
    total = hits = 0
    for i in torch.randperm(6000).split(64):
        out = model(x[i])
        loss = F.cross_entropy(out, y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(i)
        hits += (out.argmax(1) == y[i]).sum().item()
    model.eval()
    with torch.no_grad():
        out = model(vx)
    print(f"Epoch {epoch + 1}/8: train loss {total / 6000:.4f}, train acc {hits / 60:.2f}% | val loss {F.cross_entropy(out, vy).item():.4f}, val acc {100 * (out.argmax(1) == vy).float().mean().item():.2f}%")
print("Finished training")
