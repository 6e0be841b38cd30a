import logging
import time

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s trainer: %(message)s")
torch.manual_seed(0)
net = nn.Linear(128, 128)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
log, start, history = logging.getLogger(), time.time(), []
for step in range(1, 261):
    x = torch.randn(64, 128)
    loss = (net(x) - 0.5 * x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.item())
    if step > 120:  # the panel is redrawn from the whole history on shared storage
        time.sleep(0.05)
    if step % 10 == 0:
        took = time.time() - start
        start = time.time()
        log.info("step %d | loss %.4f | %.1f samples/s | %.1f ms/step", step, loss.item(), 640 / took, 100 * took)
log.info("training done")
