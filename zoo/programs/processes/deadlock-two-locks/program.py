import faulthandler
import threading
import time

import torch
from torch import nn

faulthandler.dump_traceback_later(12, exit=False)
stats_lock, model_lock = threading.Lock(), threading.Lock()
torch.manual_seed(0)
net = nn.Linear(5, 1)


def report():
    while True:
        with stats_lock:
            time.sleep(0.02)
            with model_lock:
                sum(p.norm().item() for p in net.parameters())


threading.Thread(target=report, name="reporter", daemon=True).start()
for step in range(1, 1000):
    with model_lock:
        loss = net(torch.randn(4, 5)).pow(2).mean()
        loss.backward()
        if step % 15 == 0:
            with stats_lock:
                print(f"step {step} loss {loss.item():.4f}")
    time.sleep(0.005)
