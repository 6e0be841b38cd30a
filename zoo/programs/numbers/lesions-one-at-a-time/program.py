"""Small CNN on synthetic dermoscopy tiles. python train.py"""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(7)
C, N = 4, 1800
proto = torch.randn(C, 3, 16, 16)
y = torch.randint(0, C, (N,))
x = proto[y] * 0.35 + torch.randn(N, 3, 16, 16) + torch.randn(N, 1, 1, 1) * 2  # lighting differs per camera
tr, va = slice(0, 1400), slice(1400, N)

net = nn.Sequential(
    nn.Conv2d(3, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(24 * 16, 64), nn.BatchNorm1d(64), nn.Dropout(0.5), nn.ReLU(), nn.Linear(64, C),
)
opt = torch.optim.AdamW(net.parameters(), 2e-3)


@torch.no_grad()
def accuracy(bs):
    hit = sum((net(x[va][i:i + bs]).argmax(1) == y[va][i:i + bs]).sum().item() for i in range(0, 400, bs))
    return hit / 400


for ep in range(6):
    tot = 0.0
    for i in torch.randperm(1400).split(50):
        loss = F.cross_entropy(net(x[tr][i]), y[tr][i])
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item() * len(i)
    print(f"ep {ep}  loss {tot / 1400:.3f}  val acc {accuracy(200):.3f}")

print()
print("pre-release replay, same weights, same 400 validation tiles:")
for bs in (200, 20, 4, 2):
    print(f"   tiles per call {bs:>3d} -> acc {accuracy(bs):.3f} {accuracy(bs):.3f} {accuracy(bs):.3f}")
print(f"   (network mode flag: training={net.training})")
print("score must not depend on how many tiles go in together -- something is off in how we evaluate")
