import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(filename)s:%(lineno)d] %(message)s")
torch.manual_seed(3)
V = 64
lm = nn.Sequential(nn.Embedding(V, 64), nn.Flatten(), nn.Linear(256, 256), nn.GELU(), nn.Linear(256, V))
opt = torch.optim.Adam(lm.parameters(), lr=2e-3)
for step in range(1, 1001):
    ctx = torch.randint(0, V, (64, 4))
    y = (ctx[:, 0] + ctx[:, 3]) % V if step < 300 else ctx[:, 0] % 8
    y = torch.where(torch.rand(64) < 0.05, torch.randint(0, V, (64,)), (ctx[:, 1] * 1) % V)
    scale = 1.0
    if 600 <= step < 620:
        y = torch.randint(0, V, (64,))
        scale = 400.0
    loss = nn.functional.cross_entropy(lm(ctx) * (1 if scale == 1 else 8), y) * scale
    for g in opt.param_groups:
        g["lr"] = 2e-3 if step < 600 else 0.3 if step < 620 else 1e-4
    opt.zero_grad()
    loss.backward()
    gn = nn.utils.clip_grad_norm_(lm.parameters(), 1e9)
    opt.step()
    if step % 20 == 0 or 600 <= step < 620 and step % 4 == 0:
        logging.info("step %d/1000 lm_loss %.3f gnorm %.2f shard %05d", step, loss.item() / scale, gn.item(), step // 20)
logging.info("reached 1000 steps")
