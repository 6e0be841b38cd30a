import torch
from torch import nn

torch.manual_seed(5)
w = torch.randn(20, 5)
x = torch.randn(3000, 20)
y = (x @ w).argmax(1)
net = nn.Sequential(nn.Linear(20, 256), nn.ReLU(), nn.Dropout(0.7), nn.Linear(256, 5))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for step in range(1, 401):
    i = torch.randint(0, 2000, (64,))
    loss = nn.functional.cross_entropy(net(x[i]), y[i])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(f"step {step} loss {loss.item():.4f}")
with torch.no_grad():
    scores = [(net(x[2000:]).argmax(1) == y[2000:]).float().mean().item() for _ in range(5)]
print("five evaluations of the same weights:", " ".join(f"{s:.4f}" for s in scores))
print("WARNING: evaluation is not reproducible (spread %.4f), model.training=%s" % (max(scores) - min(scores), net.training))
