import time

import torch
import torch.nn.functional as F

torch.manual_seed(3)
net = torch.nn.Sequential(torch.nn.Conv2d(1, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(8, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(8, 2, 1))
opt = torch.optim.Adam(net.parameters(), 1e-3)
for it in range(1, 3001):
    yy, xx = torch.meshgrid(torch.arange(32), torch.arange(32), indexing="ij")
    c, r = torch.randint(8, 24, (8, 2, 1, 1)), torch.randint(3, 8, (8, 1, 1))
    mask = ((yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2 < r**2).long()
    img = mask.unsqueeze(1) * 0.8 + torch.randn(8, 1, 32, 32) * 0.4
    loss = F.cross_entropy(net(img), mask)
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 20 == 0:
        pred = net(img).argmax(1)
        iou = ((pred & mask).sum() / (pred | mask).sum().clamp(min=1)).item()
        print(f"iter {it} | loss {loss.item():.4f} | IoU {iou:.3f} | {time.strftime('%H:%M:%S')}", flush=True)
