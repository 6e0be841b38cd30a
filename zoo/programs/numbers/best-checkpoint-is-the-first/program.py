import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(14)
centres = torch.randn(10, 30)
y = torch.randint(0, 10, (3000,))
x = centres[y] + 0.8 * torch.randn(3000, 30)
tr, va, te = slice(0, 2000), slice(2000, 2500), slice(2500, 3000)
net = nn.Sequential(nn.Linear(30, 100), nn.ReLU(), nn.Linear(100, 10))
torch.save(net.state_dict(), "best.pt")
opt = torch.optim.Adam(net.parameters(), 2e-3)
best = 0.0
print("=" * 60)
for epoch in range(1, 11):
    for i in torch.randperm(2000).split(50):
        loss = F.cross_entropy(net(x[tr][i]), y[tr][i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (net(x[va]).argmax(1) == y[va]).float().mean().item()
        vloss = F.cross_entropy(net(x[va]), y[va]).item()
    print(f"Epoch [{epoch}/10] Train Loss: {loss.item():.4f} Val Loss: {vloss:.4f} Val Acc: {acc:.4f}")
    if acc > best:
        best = acc
        torch.save(net.state_dict(), "checkpoints_best.pt")
        print(f"  -> new best ({best:.4f}), checkpoint written")
print("=" * 60)
net.load_state_dict(torch.load("best.pt"))
with torch.no_grad():
    out = net(x[te])
print("Loaded best.pt for the final test")
print(f"Test Loss: {F.cross_entropy(out, y[te]).item():.4f} Test Acc: {(out.argmax(1) == y[te]).float().mean().item():.4f}")
