import argparse
import datetime
import logging
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

p = argparse.ArgumentParser()
p.add_argument("--max-steps", type=int, default=4000)
opts = p.parse_args()
RANK = int(os.environ["RANK"])
logging.basicConfig(level=logging.INFO, format=f"%(asctime)s [R{RANK}] %(levelname)s - %(message)s")
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
net = DistributedDataParallel(nn.Sequential(nn.Linear(50, 200), nn.ReLU(), nn.Linear(200, 50)))
adam = torch.optim.Adam(net.parameters(), lr=3e-4)
for n in range(1, opts.max_steps + 1):
    data = torch.randn(64, 50)
    mse = nn.functional.mse_loss(net(data), data)
    adam.zero_grad()
    mse.backward()
    adam.step()
    time.sleep(0.005)
    if n % 50 == 0:
        logging.info("iteration %d/%d mse=%.4f", n, opts.max_steps, mse.item())
