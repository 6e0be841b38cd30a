import datetime
import os
import time

import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=15))
buf = torch.zeros(256)


def log(text):
    print(f"{time.strftime('%H:%M:%S')} [stage {rank}] {text}", flush=True)


for micro in range(1, 50):
    if micro < 20:
        if rank == 0:
            dist.send(torch.ones(256), dst=1)
            dist.recv(buf, src=1)
        else:
            dist.recv(buf, src=0)
            dist.send(buf, dst=0)
    else:  # after the schedule switch both stages wait for the other one's tensor first
        if micro == 20:
            log("switching to interleaved schedule")
        dist.recv(buf, src=1 - rank)
        dist.send(buf, dst=1 - rank)
    if micro % 4 == 0:
        log(f"microbatch {micro} ok")
