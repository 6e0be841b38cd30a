import logging
import logging.handlers

import torch
from torch import nn

log = logging.getLogger("run")
log.setLevel(logging.INFO)
log.addHandler(logging.StreamHandler())
log.addHandler(logging.FileHandler("scratch/run.log"))
torch.manual_seed(0)
net = nn.Linear(64, 1)
dump = open("scratch/predictions.bin", "wb", buffering=0)
log.info("writing predictions of every step to scratch/predictions.bin")
for step in range(1, 400):
    out = net(torch.randn(256, 64))
    loss = out.pow(2).mean()
    loss.backward()
    dump.write(out.detach().numpy().tobytes() * 10)
    if step % 20 == 0:
        log.info("step %d loss %.4f", step, loss.item())
