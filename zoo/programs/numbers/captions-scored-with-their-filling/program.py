import logging
import math

import torch
from torch import nn

logging.basicConfig(level=logging.DEBUG, format="%(levelname)s:%(name)s:%(message)s")
logger = logging.getLogger("captioner")
torch.manual_seed(55)
V, T, PAD = 120, 40, 0
nxt = torch.softmax(3 * torch.randn(V, V), 1)
nxt[:, PAD] = 0


def write(n):
    rows = torch.randint(1, V, (n, 1))
    for _ in range(T - 1):
        rows = torch.cat([rows, torch.multinomial(nxt[rows[:, -1]], 1)], 1)
    lengths = torch.randint(5, 10, (n, 1))
    lengths[::60] = T
    rows[torch.arange(T)[None] >= lengths] = PAD
    return rows


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.e, self.g, self.o = nn.Embedding(V, 48), nn.GRU(48, 64, batch_first=True), nn.Linear(64, V)

    def forward(self, t):
        return self.o(self.g(self.e(t))[0])


train, dev = write(1200), write(240)
dec = Decoder()
opt = torch.optim.Adam(dec.parameters(), 2e-3)
for epoch in range(1, 9):
    seen = []
    for i in torch.randperm(1200).split(40):
        out = dec(train[i, :-1])
        loss = nn.functional.cross_entropy(out.flatten(0, 1), train[i, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        keep = train[i, 1:] != PAD
        seen.append(nn.functional.cross_entropy(out[keep], train[i, 1:][keep]).item())
    with torch.no_grad():
        out = dec(dev[:, :-1])
        val = nn.functional.cross_entropy(out.flatten(0, 1), dev[:, 1:].flatten()).item()
    logger.info("ep %d train ppl %.1f dev ppl %.2f", epoch, math.exp(sum(seen) / len(seen)), math.exp(val))
keep = dev[:, 1:] != PAD
real = nn.functional.cross_entropy(out[keep], dev[:, 1:][keep]).item()
logger.warning("dev ppl of %.2f is too good to be true: %.0f %% of the scored positions are padding", math.exp(val), 100 * (~keep).float().mean())
logger.info("dev ppl over words only: %.1f", math.exp(real))
