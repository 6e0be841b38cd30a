import multiprocessing as mp
import os
import sys

import torch
from torch import nn


def evaluator(conn):
    net = nn.Linear(10, 2)
    while True:
        step, x = conn.recv()
        if x.shape[1] != 10:
            print(f"evaluator: batch of step {step} has {x.shape[1]} features", file=sys.stderr)
        y = net(x)
        conn.send(y.mean().item())
        if step == 40:
            raise ZeroDivisionError("evaluator: no positive samples in this window")


if __name__ == "__main__":
    ctx = mp.get_context("fork")
    here, there = ctx.Pipe()
    child = ctx.Process(target=evaluator, args=(there,), name="evaluator")
    child.start()
    there.close()
    print("main", os.getpid(), "evaluator", child.pid)
    for step in range(1, 100):
        here.send((step, torch.randn(4, 10)))
        value = here.recv()
        if step % 8 == 0:
            print(f"step {step} online_eval {value:+.4f}")
