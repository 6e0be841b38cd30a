import logging

import numpy as np
import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)-12s %(levelname)-8s %(message)s")
log = logging.getLogger("features")
torch.manual_seed(0)
w = torch.zeros(64, requires_grad=True)
for step in range(20):
    loss = (torch.randn(32, 64) @ w - 1).pow(2).mean()
    loss.backward()
    w.data -= 0.01 * w.grad
    if step % 5 == 4:
        log.info("warmup step %d loss %.4f", step + 1, loss.item())
log.info("mapping feature store features.dat (12 GB)")
with open("features.dat", "wb") as f:
    f.truncate(12 << 30)
store = np.memmap("features.dat", dtype=np.float32, mode="r", shape=(3 << 20, 1024))
log.info("mapped %s", store.shape)
