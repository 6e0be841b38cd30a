import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="[%(asctime)s,%(msecs)03d][%(levelname)s] %(message)s", datefmt="%Y-%m-%d %H:%M:%S")
torch.manual_seed(1)
emb, width, vocab = 32, 96, 40
model = nn.Sequential(nn.Embedding(vocab, emb), nn.Flatten(), nn.Linear(emb * 6, width), nn.Tanh(), nn.Linear(width, vocab))
opt = torch.optim.Adam(model.parameters(), lr=3e-4)
warmup, peak = 120, 0.9
for step in range(1, 401):
    for group in opt.param_groups:
        group["lr"] = 2e-3 if step <= warmup else min(peak, 2e-3 * 1.12 ** (step - warmup))
    x = torch.randint(0, vocab, (64, 6))
    y = torch.where(torch.rand(64) < 0.1, torch.randint(0, vocab, (64,)), x[:, 2])
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    gn = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    opt.step()
    if step % 10 == 0:
        logging.info("step: %d | lm loss: %.4E | grad norm: %.3f | learning rate: %.3E", step, loss.item(), gn.item(), opt.param_groups[0]["lr"])
logging.info("training finished after 400 steps, final lm loss %.3f", loss.item())
