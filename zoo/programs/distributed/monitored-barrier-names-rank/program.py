import datetime
import logging
import os
import time

import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
logging.basicConfig(level=logging.INFO, format=f"%(asctime)s rank{rank} %(levelname)s %(message)s")
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=40))
for epoch in range(4):
    total = torch.ones(1) * (epoch + rank)
    dist.all_reduce(total)
    logging.info("epoch %d sum %.1f", epoch, total.item())
    if epoch == 2 and rank == 2:
        logging.info("tokenizing the new shard before the barrier")
        time.sleep(300)
    dist.monitored_barrier(timeout=datetime.timedelta(seconds=9), wait_all_ranks=True)
