import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(2)
proto = torch.randn(6, 1, 12, 12)
y = torch.randint(0, 6, (2400,))
x = proto[y] * 0.8 + torch.randn(2400, 1, 12, 12)
net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.4), nn.Linear(576, 6))
opt = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.05)


def augment(a, t):
    """Random erasing, shifts, strong noise, then mixup."""
    a = torch.roll(a, tuple(torch.randint(-1, 2, (2,)).tolist()), (2, 3)) + 0.8 * torch.randn_like(a)
    top, left = torch.randint(0, 7, (2,)).tolist()
    a[:, :, top:top + 5, left:left + 5] = 0
    lam = torch.distributions.Beta(0.8, 0.8).sample()
    p = torch.randperm(len(a))
    return lam * a + (1 - lam) * a[p], lam * F.one_hot(t, 6) + (1 - lam) * F.one_hot(t[p], 6)


print(" epoch | train loss | train top1 (augmented) | valid loss | valid top1")
for epoch in range(1, 16):
    net.train()
    total = hit = 0
    for i in torch.randperm(2000).split(50):
        a, t = augment(x[i].clone(), y[i])
        out = net(a)
        loss = F.cross_entropy(out, t, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(i)
        hit += (out.argmax(1) == y[i]).sum().item()
    net.eval()
    with torch.no_grad():
        out = net(x[2000:])
    print(f" {epoch:5d} | {total / 2000:10.4f} | {hit / 2000:22.3f} | {F.cross_entropy(out, y[2000:]):10.4f} | {(out.argmax(1) == y[2000:]).float().mean():10.3f}")
torch.save(net.state_dict(), "tiles.pt")
print("saved tiles.pt")
