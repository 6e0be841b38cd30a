import torch, torch.nn as nn

torch.manual_seed(0)
e = nn.Linear(30, 16)
d = nn.Linear(8, 30)
opt = torch.optim.SGD([*e.parameters(), *d.parameters()], lr=2.0)
x = torch.randn(256, 30) * 3
for it in range(25):
    m, lv = e(x).chunk(2, 1)
    z = m + torch.randn_like(m) * (lv / 2).exp()
    rec = (d(z) - x).pow(2).mean()
    kl = (m**2 + lv.exp() - lv - 1).mean() / 2
    (rec + kl).backward()
    opt.step()
    opt.zero_grad()
    print(f"it {it:3d}  -ELBO {(rec + kl).item():.4g}  (rec {rec.item():.4g}, kl {kl.item():.4g})")
torch.save(e.state_dict(), "vae.pt")
print("vae written")
