"""Trains a linear model shard by shard from Parquet."""
import logging

import pyarrow.parquet as pq
import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s.%(msecs)03d %(levelname)-7s %(message)s", datefmt="%Y-%m-%dT%H:%M:%S")
model = torch.nn.Linear(2, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
step = 0
for shard in range(4):
    path = f"part-{shard:03d}.parquet"
    table = pq.read_table(path, page_checksum_verification=True)
    logging.info("opened %s: %d rows", path, table.num_rows)
    x = torch.tensor([table["x"].to_pylist(), table["y"].to_pylist()]).T
    y = torch.tensor(table["label"].to_pylist())
    for start in range(0, 4000, 200):
        loss = torch.nn.functional.cross_entropy(model(x[start : start + 200]), y[start : start + 200])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 10 == 0:
            logging.info("step %d loss %.4f", step, loss.item())
