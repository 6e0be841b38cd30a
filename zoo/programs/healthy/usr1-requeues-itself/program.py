"""Gets SIGUSR1 before its time limit, saves, and asks to be requeued."""
import os
import signal
import sys
import time

import torch

stop = False


def on_usr1(number, frame):
    global stop
    stop = True
    print(f"{time.strftime('%X')} slurm: time limit near (signal {number}), will not be killed: saving", flush=True)


signal.signal(signal.SIGUSR1, on_usr1)
w = torch.zeros(16, requires_grad=True)
target = torch.arange(16.0)
iteration = 0
while True:
    iteration += 1
    loss = (w - target).square().mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad = None
    if iteration % 20 == 0:
        print(f"{time.strftime('%X')} iter {iteration} loss {loss.item():.4f}", flush=True)
        time.sleep(0.3)
        if stop:
            torch.save(w, "state.tmp")
            os.replace("state.tmp", "state.pt")
            print(f"{time.strftime('%X')} state.pt written at iter {iteration}; exit 0, requeue follows", flush=True)
            sys.exit(0)
