import datetime
import fcntl
import os
import time

import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=12))
weights = torch.zeros(1000)


def say(text):
    print(f"{time.strftime('%H:%M:%S')} rank={rank} {text}", flush=True)


def refresh_index():
    with open("index.lock", "w") as lock:
        say("refreshing the sample index, waiting for index.lock")
        fcntl.flock(lock, fcntl.LOCK_EX)
        say("index refreshed")


say("ready")
for step in range(1, 200):
    grad = torch.full((1000,), float(step + rank))
    if step == 60 and rank == 1:
        refresh_index()
    dist.all_reduce(grad)
    weights -= 0.01 * grad / 2
    if step % 10 == 0:
        say(f"step={step} |w|={weights.norm():.3f}")
say("finished")
