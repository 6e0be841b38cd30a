import logging
import queue
import threading
import time

import torch
from torch import nn

logging.basicConfig(level="INFO", format="%(asctime)s %(threadName)s %(message)s")
log = logging.getLogger()
torch.manual_seed(0)
batches = queue.Queue(8)


def produce():
    for i in range(64):
        batches.put((torch.randn(16, 8), torch.randn(16, 1)))
    threading.Event().wait()  # waits for shards that nobody will send


def beat():
    while True:
        time.sleep(10)
        log.info("heartbeat: process alive, queue size %d", batches.qsize())


threading.Thread(target=produce, daemon=True, name="producer").start()
threading.Thread(target=beat, daemon=True, name="heartbeat").start()
net = nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), 0.01)
for step in range(1, 501):
    x, y = batches.get()
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    time.sleep(0.05)
    if step % 4 == 0:
        log.info("step %d/500 loss %.4f", step, loss.item())
