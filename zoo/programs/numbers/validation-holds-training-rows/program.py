import torch
from torch import nn

torch.manual_seed(11)
x = torch.randn(300, 200)
y = torch.randint(0, 2, (300,))  # nothing to learn: it can only be known by heart
order = torch.randperm(300)
train, val = order, order[:100]
fresh_x, fresh_y = torch.randn(300, 200), torch.randint(0, 2, (300,))
net = nn.Sequential(nn.Linear(200, 256), nn.ReLU(), nn.Linear(256, 2))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(12):
    for _ in range(20):
        i = train[torch.randint(0, 300, (64,))]
        loss = nn.functional.cross_entropy(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (net(x[val]).argmax(1) == y[val]).float().mean().item()
    print({"epoch": epoch, "loss": round(loss.item(), 4), "val_accuracy": round(acc, 4)})
with torch.no_grad():
    acc = (net(fresh_x).argmax(1) == fresh_y).float().mean().item()
print({"test_accuracy": round(acc, 4)})
