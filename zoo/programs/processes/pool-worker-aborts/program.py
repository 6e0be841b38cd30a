import os
from concurrent.futures import ProcessPoolExecutor

import torch


def score(seed):
    torch.manual_seed(seed)
    if seed == 5:
        os.kill(os.getpid(), 11)
    return float(torch.randn(100).mean())


if __name__ == "__main__":
    print("starting hyper-parameter search, 8 candidates")
    with ProcessPoolExecutor(max_workers=2) as pool:
        for seed, value in enumerate(pool.map(score, range(8))):
            print(f"candidate {seed}: {value:.4f}", flush=True)
