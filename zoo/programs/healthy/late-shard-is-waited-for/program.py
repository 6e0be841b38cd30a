"""Trains on shards while they are being copied."""
import logging
import time

import numpy as np
import torch

logging.basicConfig(level=logging.INFO, format="[%(levelname)s] %(message)s")
open("shards/started", "w").close()
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(6, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)


def load(path):
    for attempt in range(1, 9):
        try:
            return torch.from_numpy(np.load(path))
        except FileNotFoundError:
            logging.exception("could not read %s (attempt %d of 8), trying again", path, attempt)
            time.sleep(2)
    raise SystemExit(f"gave up on {path}")


step = 0
for shard in range(5):
    for x in load(f"shards/part-{shard}.npy").split(16):
        loss = (net(x) - x[:, :1] * x[:, 1:2]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        if step % 50 == 0:
            logging.info("step %d shard %d loss %.4f", step, shard, loss.item())
logging.info("all 5 shards read, %d steps, saving", step)
torch.save(net.state_dict(), "net.pt")
