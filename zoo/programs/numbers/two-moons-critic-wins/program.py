import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--iters", type=int, default=1000)
ap.add_argument("--lr_d", type=float, default=4e-3)
ap.add_argument("--lr_g", type=float, default=2e-5)
ap.add_argument("--nz", type=int, default=8)
opt = ap.parse_args()
print(opt)
torch.manual_seed(999)
print("Random Seed: ", 999)


def real_batch(n):
    t = torch.rand(n) * math.pi
    up = torch.rand(n) < 0.5
    x = torch.stack([torch.where(up, t.cos(), 1 - t.cos()), torch.where(up, t.sin(), 0.5 - t.sin())], 1)
    return x + torch.randn_like(x) * 0.03 + 3


netG = nn.Sequential(nn.Linear(opt.nz, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
netD = nn.Sequential(nn.Linear(2, 256), nn.LeakyReLU(0.2), nn.Linear(256, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1))
print(netG)
print(netD)
optD = torch.optim.Adam(netD.parameters(), lr=opt.lr_d, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=opt.lr_g, betas=(0.5, 0.999))

per_epoch = 300
for it in range(opt.iters):
    x = real_batch(128)
    fake = netG(torch.randn(128, opt.nz))
    out_r, out_f = netD(x), netD(fake.detach())
    errD = F.binary_cross_entropy_with_logits(out_r, torch.ones_like(out_r)) + F.binary_cross_entropy_with_logits(out_f, torch.zeros_like(out_f))
    optD.zero_grad(); errD.backward(); optD.step()
    D_x, D_G_z1 = out_r.sigmoid().mean().item(), out_f.sigmoid().mean().item()
    out = netD(fake)
    errG = F.binary_cross_entropy_with_logits(out, torch.ones_like(out))
    optG.zero_grad(); errG.backward(); optG.step()
    if it % 25 == 0:
        print("[%d/%d][%d/%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f" % (
            it // per_epoch, opt.iters // per_epoch, it, opt.iters, errD.item(), errG.item(), D_x, D_G_z1, out.sigmoid().mean().item()))
    if it % per_epoch == 0:
        s = netG(torch.randn(512, opt.nz))
        print("fake samples: mean (%.2f, %.2f) std (%.3f, %.3f)" % (*s.mean(0).tolist(), *s.std(0).tolist()))
torch.save(netG.state_dict(), "netG_epoch_%d.pth" % (opt.iters // per_epoch))
