import atexit
import os

import torch
import torch.distributed as dist
from torch import nn

rank = int(os.environ["RANK"])


class Tracker:
    def log(self, **values):
        if values["loss"] < 0:
            raise ValueError(f"loss must not be negative, got {values['loss']:.4f}")
        print("tracker", rank, values)

    def close(self):
        raise ConnectionError("tracking server at 10.2.0.7 went away while flushing 3 events")


def main():
    dist.init_process_group("gloo")
    net = nn.Linear(8, 1)
    tracker = Tracker()
    try:
        for step in range(1, 50):
            loss = net(torch.ones(8)).mean() * 0.01 + 0.5 - 0.02 * step
            tracker.log(step=step, loss=round(loss.item(), 4))
            dist.all_reduce(loss.detach())
    finally:
        tracker.close()


atexit.register(lambda: print(f"rank {rank}: ERROR could not upload artifacts: upload aborted"))
main()
