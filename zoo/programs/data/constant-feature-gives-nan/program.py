"""Standardises features; one of them is constant."""
import logging

import numpy as np
import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S")
rng = np.random.default_rng(0)
table = rng.normal(size=(1000, 6)).astype("float32")
table[:, 4] = 0.0
labels = (table[:, 0] > 0).astype("float32")
logging.info("standardising 6 features")
table = (table - table.mean(0)) / table.std(0)
x, y = torch.from_numpy(table), torch.from_numpy(labels)
model = torch.nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(1, 201):
    rows = slice((step * 20) % 1000, (step * 20) % 1000 + 20)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(model(x[rows]).squeeze(1), y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        logging.info("step %d loss %s", step, loss.item())
    if step >= 50 and not torch.isfinite(loss):
        raise FloatingPointError(f"loss is {loss.item()} at step {step}, stopping")
