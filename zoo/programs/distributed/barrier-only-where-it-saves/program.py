"""Rank 0 saves, and waits for the others before it does."""
import logging
import os

import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
logging.basicConfig(level=logging.INFO, format=f"%(levelname).1s rank{rank} %(message)s")
dist.init_process_group("gloo")
torch.manual_seed(0)
w = torch.zeros(6)
for step in range(1, 91):
    x = torch.randn(12, 6)
    grad = x.T @ (x @ w - x.sum(1)) / 12
    dist.all_reduce(grad)
    w -= 0.05 * grad
    if step % 10 == 0:
        logging.info("step %d err %.4f", step, (w - 1).abs().max())
    if step == 60 and rank == 0:
        logging.info("saving snapshot, waiting for all ranks")
        dist.barrier()
        torch.save(w, "snapshot.pt")
dist.destroy_process_group()
