import torch
from torch import nn

torch.manual_seed(1)
w = torch.randn(10, 6)
x = torch.randn(1200, 10)
y = (x @ w).argmax(1)
net, ema = nn.Linear(10, 6), nn.Linear(10, 6)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(1, 21):
    for i in range(0, 1000, 100):
        loss = nn.functional.cross_entropy(net(x[i : i + 100]), y[i : i + 100])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        train = (net(x[:1000]).argmax(1) == y[:1000]).float().mean()
        held = (ema(x[1000:]).argmax(1) == y[1000:]).float().mean()
    print(f"Epoch {epoch:3d}: train loss {loss.item():.4f}, train acc {train:.4f}, val acc {held:.4f}")
