import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.mu, self.lv = nn.Linear(30, 64), nn.Linear(64, 4), nn.Linear(64, 4)
        self.dec = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 30))

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, lv = self.mu(h), self.lv(h)
        return self.dec(mu + torch.randn_like(mu) * (lv / 2).exp()), mu, lv


mix = torch.randn(4, 30)
data = torch.randn(4000, 4) @ mix + 0.3 * torch.randn(4000, 30)
model = VAE()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
print("beta is raised from 0 to 4 over epochs 3-26 (as in the paper's schedule B)")
for epoch in range(1, 31):
    beta = 4.0 * min(1, max(0, (epoch - 3) / 23))
    tot = rec = kld = 0
    for b, x in enumerate(data[torch.randperm(4000)].split(200)):
        out, mu, lv = model(x)
        r = F.mse_loss(out, x, reduction="sum") / len(x)
        k = -0.5 * (1 + lv - mu**2 - lv.exp()).sum() / len(x)
        loss = r + beta * k
        opt.zero_grad(); loss.backward(); opt.step()
        tot, rec, kld = tot + loss.item() / 20, rec + r.item() / 20, kld + k.item() / 20
        if b % 5 == 0:
            print(f"Train Epoch: {epoch} [{b * 200}/4000 ({b * 5}%)]\tLoss: {loss.item():.6f}")
    print(f"====> Epoch: {epoch} Average loss: {tot:.4f} (reconstruction {rec:.4f}, kl {kld:.4f}, beta {beta:.2f})")
with torch.no_grad():
    print("traversal of latent 0:", [round(v, 2) for v in model.dec(torch.tensor([[z, 0.0, 0, 0] for z in (-2, -1, 0, 1, 2)]))[:, 0].tolist()])
