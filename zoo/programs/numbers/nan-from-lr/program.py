import argparse
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("forecast")

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--steps", type=int, default=300)
parser.add_argument("--seed", type=int, default=7)
args = parser.parse_args()
log.info("arguments: %s", vars(args))

torch.manual_seed(args.seed)
model = nn.Sequential(nn.Linear(24, 128), nn.GELU(), nn.Linear(128, 128), nn.GELU(), nn.Linear(128, 6))
opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
log.info("model has %d parameters", sum(p.numel() for p in model.parameters()))
for step in range(1, args.steps + 1):
    phase = torch.rand(64, 1) * 6.28
    wave = torch.sin(phase + torch.arange(30) / 3)
    loss = nn.functional.mse_loss(model(wave[:, :24]), wave[:, 24:])
    opt.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1e9)
    opt.step()
    if step % 10 == 0 or step < 10:
        log.info("step %d/%d loss=%.4f grad_norm=%.3g lr=%g", step, args.steps, loss.item(), norm.item(), args.lr)
log.info("done, wrote no checkpoint (--save not given)")
