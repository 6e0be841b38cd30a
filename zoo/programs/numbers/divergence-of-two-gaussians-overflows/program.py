import logging
import sys

import torch
from torch import nn

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(created).2f %(levelname)s %(message)s")
torch.manual_seed(30)
FRAMES, DIM = 2048, 80
mel = torch.randn(FRAMES, 6) @ torch.randn(6, DIM) * 0.7 + 0.2 * torch.randn(FRAMES, DIM)
mel[1500:] *= torch.linspace(1, 500, FRAMES - 1500)[:, None]  # a microphone that clips, later in the corpus


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(DIM, 96), nn.ReLU(), nn.Linear(96, 32))
        self.dec = nn.Sequential(nn.Linear(16, 96), nn.ReLU(), nn.Linear(96, DIM))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        kl = 0.5 * (logvar.exp() + mu.square() - 1 - logvar).sum(1).mean()
        return (self.dec(z) - x).square().sum(1).mean(), kl


vae = Vae()
opt = torch.optim.Adam(vae.parameters(), 1e-3)
it = 0
for lo in range(0, FRAMES, 128):
    for _ in range(40):
        x = mel[lo:lo + 128]
        rec, kl = vae(x)
        it += 1
        if it % 40 == 1 or not torch.isfinite(kl):
            logging.info("it %d frames %d.. rec %.2f kl %.2f elbo %.2f |x|max %.1f", it, lo, rec, kl, -(rec + kl), x.abs().max())
        if not torch.isfinite(rec + kl):
            logging.critical("ELBO left the real numbers in iteration %d, stopping here", it)
            sys.exit(3)
        opt.zero_grad()
        (rec + kl).backward()
        opt.step()
