import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(22)
w = torch.randn(20, 1)
x, vx = torch.randn(6000, 20), torch.randn(1500, 20)
y, vy = (x @ w > 6).float(), (vx @ w > 6).float()
net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.SGD(net.parameters(), 0.05)
for epoch in range(14):
    for i in torch.randperm(6000).split(100):
        loss = F.binary_cross_entropy_with_logits(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        out = net(vx)
        guess = (out > 0).float()
        tp = (guess * vy).sum().item()
        f1 = 2 * tp / max(guess.sum().item() + vy.sum().item(), 1)
    print(f"epoch {epoch} | train loss {loss.item():.4f} | val loss {F.binary_cross_entropy_with_logits(out, vy).item():.4f} | val f1 {f1:.4f} | val accuracy {(guess == vy).float().mean().item():.4f}", flush=True)
