"""Writes a checkpoint when asked to stop, and exits with zero."""
import logging
import signal
import sys
import time

import torch

logging.basicConfig(level=logging.INFO, format="[%(asctime)s][%(name)s][%(levelname)s] %(message)s")
log = logging.getLogger("lm")
asked = []
signal.signal(signal.SIGTERM, lambda number, frame: asked.append(number))
torch.manual_seed(0)
model = torch.nn.Linear(32, 32)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
log.info("planned steps 100000, checkpoint on SIGTERM, kill grace 30 s")
for step in range(1, 100_001):
    x = torch.randn(64, 32)
    loss = (model(x) - x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        log.info("step %d loss %.5f", step, loss.item())
        time.sleep(0.3)
    if asked and step % 50 == 0:
        log.warning("signal %d received, saving before shutdown", asked[0])
        torch.save({"model": model.state_dict(), "step": step}, "preempt.pt")
        log.info("saved preempt.pt at step %d, exiting with code 0 for requeue", step)
        sys.exit(0)
