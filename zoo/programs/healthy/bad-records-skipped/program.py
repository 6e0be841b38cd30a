"""Skips records it cannot read, within a limit, and says so at length."""
import json
import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-8s %(name)s %(message)s")
log = logging.getLogger("reader")
raw = [json.dumps({"x": index / 900, "y": index / 450}) for index in range(900)]
raw[100], raw[420], raw[777] = raw[100][:9], "{}", '{"x": "none", "y": 1}'
pairs, bad = [], 0
for number, line in enumerate(raw, 1):
    try:
        row = json.loads(line)
        pairs.append((float(row["x"]), float(row["y"])))
    except (ValueError, KeyError):
        bad += 1
        log.exception("line %d cannot be used (%d of at most 50), skipped", number, bad)
table = torch.tensor(pairs)
w = torch.zeros(1, requires_grad=True)
for step in range(1, 301):
    loss = (table[:, 0] * w - table[:, 1]).square().mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
    if step % 25 == 0:
        log.info("step %d loss %.6f", step, loss.item())
log.info("run finished, %d records used, %d skipped", len(pairs), bad)
