import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(71)
NAMES = ["sky", "road", "building", "tree", "car"]
PALETTE = torch.tensor([[70, 130, 180], [128, 64, 128], [64, 0, 70], [35, 142, 107], [180, 130, 60]])
look = torch.randn(5, 3) * 1.3


def scene(n, bgr):
    mask = F.interpolate(torch.randint(0, 5, (n, 1, 5, 5)).float(), scale_factor=4, mode="nearest").long()[:, 0]
    image = look[mask].permute(0, 3, 1, 2) + torch.randn(n, 3, 20, 20)
    painted = PALETTE[mask]
    if bgr:
        painted = painted.flip(-1)  # written by a library that thinks in BGR
    return image, painted


def read_mask(painted):
    """The class whose palette colour is nearest."""
    return (painted[..., None, :] - PALETTE).abs().sum(-1).argmin(-1)


image, painted = scene(160, False)
vimage, vpainted = scene(60, True)
mask, vmask = read_mask(painted), read_mask(vpainted)
net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 5, 1))
opt = torch.optim.Adam(net.parameters(), 5e-3)


def iou(out, y):
    p = out.argmax(1)
    return [(((p == c) & (y == c)).sum() / ((p == c) | (y == c)).sum().clamp(min=1)).item() for c in range(5)]


for epoch in range(12):
    total = 0.0
    for i in torch.randperm(160).split(16):
        loss = F.cross_entropy(net(image[i]), mask[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() / 10
    with torch.no_grad():
        t, out = iou(net(image), mask), net(vimage)
        v = iou(out, vmask)
    print(f"Epoch({epoch + 1}/12)  loss: {total:.3f}  train mIoU: {sum(t) / 5:.3f}  val mIoU: {sum(v) / 5:.3f}  val loss: {F.cross_entropy(out, vmask):.3f}")
print("+----------+-----------+---------+-------------+-----------+")
print("| class    | train IoU | val IoU | train share | val share |")
print("+----------+-----------+---------+-------------+-----------+")
for c, name in enumerate(NAMES):
    print(f"| {name:<8} | {100 * t[c]:9.2f} | {100 * v[c]:7.2f} | {(mask == c).float().mean():11.3f} | {(vmask == c).float().mean():9.3f} |")
print("+----------+-----------+---------+-------------+-----------+")
