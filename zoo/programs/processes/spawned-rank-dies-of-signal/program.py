import os
import signal

import torch
import torch.multiprocessing as mp


def work(rank):
    torch.manual_seed(rank)
    for step in range(1, 6):
        print(f"rank {rank} step {step} loss {torch.rand(()).item():.3f}", flush=True)
        if rank == 1 and step == 3:
            os.kill(os.getpid(), signal.SIGSEGV)


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
