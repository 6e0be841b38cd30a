import logging
import os
import queue
import threading
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
logging.basicConfig(level=logging.INFO, format=f"%(asctime)s rank={rank} %(message)s", datefmt="%H:%M:%S")
inbox = queue.Queue(maxsize=4)
where = {"what": "start", "step": 0, "since": time.time()}


def reader():
    torch.manual_seed(rank)
    for n in range(10_000):
        if rank == 1 and n == 90:
            threading.Event().wait()  # lost its place in the listing, waits for a key that is never written
        inbox.put(torch.randn(16, 10))


def at(what):
    where.update(what=what, since=time.time())


def pulse():
    while True:
        time.sleep(3)
        logging.info("pulse: step %d, in %s for %.1f s, inbox %d", where["step"], where["what"], time.time() - where["since"], inbox.qsize())


for job in (reader, pulse):
    threading.Thread(target=job, daemon=True).start()
torch.manual_seed(0)
model = torch.nn.Linear(10, 10)
opt = torch.optim.SGD(model.parameters(), 0.05)
for step in range(1, 2001):
    where["step"] = step
    at("next_batch")
    x = inbox.get()
    at("forward/backward")
    loss = (model(x) - x.flip(1)).square().mean()
    opt.zero_grad()
    loss.backward()
    at("all_reduce")
    for p in model.parameters():
        dist.all_reduce(p.grad)
        p.grad /= 2
    opt.step()
    if step % 30 == 0:
        logging.info("step %d loss %.4f", step, loss.item())
    time.sleep(0.01)
