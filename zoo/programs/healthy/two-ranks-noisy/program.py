"""Two ranks that warn a lot and finish."""
import logging
import os
import warnings

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
logging.basicConfig(level=logging.INFO, format=f"%(asctime)s rank{rank} %(levelname)s %(message)s")
torch.manual_seed(rank)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(6, 6), torch.nn.Linear(6, 1)), find_unused_parameters=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for step in range(1, 181):
    x = torch.randn(8, 6)
    loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 15 == 0:
        logging.info("step %d loss %.4f", step, loss.item())
    if step == 70 and rank == 1:
        logging.error("NFS was slow: reading shard 3 took 4.1 s, timeout is 30 s, no retry needed")
    if step == 100:
        warnings.warn(f"rank {rank}: error reporting is disabled, failed batches would be dropped")
if rank == 0:
    logging.info("killed 0 stale workers, removed %d old checkpoints", int(os.environ["WORLD_SIZE"]))
logging.info("done")
