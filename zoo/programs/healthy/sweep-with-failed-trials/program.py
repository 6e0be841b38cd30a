"""A sweep in which some trials diverge or raise; the sweep goes on."""
import logging
import math
import random

import torch

logging.basicConfig(level=logging.INFO, format="[%(levelname).1s %(asctime)s] %(message)s")
random.seed(1)
results = []
for trial in range(12):
    lr = 10 ** random.uniform(-4, 1.2)
    torch.manual_seed(trial)
    w = torch.zeros(4, requires_grad=True)
    try:
        for _ in range(120):
            loss = (w - 3).square().sum() * 2
            loss.backward()
            with torch.no_grad():
                w -= lr * w.grad
                w.grad = None
        if not math.isfinite(loss.item()):
            raise ValueError(f"loss is {loss.item()}")
    except ValueError as error:
        logging.warning("Trial %d failed with lr %.5f: %s", trial, lr, error)
        continue
    results.append((loss.item(), lr))
    logging.info("Trial %d finished with value %.5f, lr %.5f. Best value: %.5f", trial, loss.item(), lr, min(results)[0])
logging.info("sweep finished: %d trials, %d failed", 12, 12 - len(results))
