import logging
import threading
import time

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
torch.manual_seed(0)
net = nn.Linear(16, 16)
ready = threading.Semaphore(300)
for step in range(1, 1001):
    ready.acquire()  # nobody releases: the producer stopped
    loss = net(torch.randn(8, 16)).pow(2).mean()
    loss.backward()
    time.sleep(0.01)
    if step % 20 == 0:
        logging.info("iter %d/1000 loss %.4f", step, loss.item())
