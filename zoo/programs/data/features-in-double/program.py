"""Feeds NumPy's float64 into a float32 network."""
import logging

import numpy as np
import torch

logging.basicConfig(format="%(levelname).1s%(asctime)s %(filename)s:%(lineno)d] %(message)s", datefmt="%m%d %H:%M:%S", level="INFO")
rng = np.random.default_rng(2)
warm = rng.normal(size=(256, 20)).astype("float32")
full = rng.normal(size=(2048, 20))
model = torch.nn.Sequential(torch.nn.Linear(20, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def fit(name, table, steps):
    for step in range(1, steps + 1):
        batch = torch.from_numpy(table[(step * 16) % 128 : (step * 16) % 128 + 16])
        loss = (model(batch) - batch.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            logging.info("%s step %d loss %.4f", name, step, loss.item())


fit("warm-up", warm, 40)
logging.info("switching to the full table (%d rows)", len(full))
fit("full", full, 400)
