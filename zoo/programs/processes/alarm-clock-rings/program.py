import signal
import time

import torch

signal.alarm(2)  # a guard against hanging downloads that nobody switched off
w = torch.randn(32, 32)
for step in range(1, 10000):
    w = torch.tanh(w @ w.T / 32)
    if step % 5 == 0:
        print("step", step, float(w.norm()), flush=True)
    time.sleep(0.1)
