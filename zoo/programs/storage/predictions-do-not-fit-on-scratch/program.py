import logging

import numpy as np
import pandas as pd
import torch
from torch import nn

logging.basicConfig(format="%(asctime)s,%(msecs)03d %(levelname)-7s [%(module)s] %(message)s", level=logging.INFO, datefmt="%H:%M:%S")
log = logging.getLogger()
torch.manual_seed(1)
tower = nn.Sequential(nn.Linear(32, 48), nn.GELU(), nn.Linear(48, 16))
optimizer = torch.optim.Adam(tower.parameters(), lr=2e-3)
for it in range(1, 301):
    x = torch.randn(64, 32)
    loss = (tower(x) - x[:, :16]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 50 == 0:
        log.info("iter %d/300 mse %.4f", it, loss.item())
torch.save(tower.state_dict(), "scratch/tower.pt")
log.info("saved scratch/tower.pt")
log.info("embedding the catalogue for evaluation")
with torch.no_grad():
    embedded = tower(torch.randn(90_000, 32)).numpy()
frame = pd.DataFrame(embedded, columns=[f"d{i}" for i in range(16)])
frame.insert(0, "item", np.arange(len(frame)))
try:
    frame.to_parquet("scratch/embeddings.parquet", compression=None)
except Exception:
    log.exception("could not write embeddings, recall@k can not be computed")
    raise SystemExit(1)
log.info("wrote %d rows", len(frame))
