import torch
from torch import nn

torch.manual_seed(3)
w = torch.randn(24, 10)
x, xv = torch.randn(4000, 24), torch.randn(1000, 24)
y, yv = (x @ w).argmax(1), (xv @ w).argmax(1)
yv = yv[torch.randperm(len(yv))]
net = nn.Sequential(nn.Linear(24, 128), nn.ReLU(), nn.Linear(128, 10))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for epoch in range(1, 11):
    for i in range(0, 4000, 100):
        loss = nn.functional.cross_entropy(net(x[i : i + 100]), y[i : i + 100])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (net(x).argmax(1) == y).float().mean()
        vacc = (net(xv).argmax(1) == yv).float().mean()
        vloss = nn.functional.cross_entropy(net(xv), yv)
    print(f"Epoch {epoch}/10 - train_loss: {loss.item():.4f} - train_acc: {acc:.4f} - val_loss: {vloss:.4f} - val_acc: {vacc:.4f}")
print("Training finished.")
