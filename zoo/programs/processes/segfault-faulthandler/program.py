import ctypes
import faulthandler
import threading
import time

import torch
from torch import nn

faulthandler.enable()
torch.manual_seed(0)


class Prefetcher(threading.Thread):
    def run(self):
        while True:
            time.sleep(0.05)


def score(model, x):
    y = model(x)
    if x.shape[0] == 13:
        ctypes.string_at(0x10, 4)
    return y


model = nn.Linear(8, 8)
Prefetcher(daemon=True).start()
for batch_idx in range(100):
    n = 13 if batch_idx == 61 else 32
    with torch.no_grad():
        out = score(model, torch.randn(n, 8))
    if batch_idx % 10 == 0:
        print(f"eval batch {batch_idx}/100 mean {out.mean():.5f}", flush=True)
