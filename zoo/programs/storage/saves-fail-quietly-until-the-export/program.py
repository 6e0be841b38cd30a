import logging
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname).1s %(threadName)s %(message)s")
log = logging.getLogger(__name__)
STORE = pathlib.Path("store")
writer = ThreadPoolExecutor(1, thread_name_prefix="ckpt-writer")


def write(state, it):
    try:
        target = STORE / f"ae_{it:06d}.pt"
        with target.open("wb") as file:
            torch.save(state, file)
        log.info("wrote %s", target)
    except Exception as error:
        log.warning("snapshot at it=%d skipped: %s", it, error)


def export():
    found = sorted(STORE.glob("ae_*.pt"))
    if not found:
        raise RuntimeError("export: no snapshot to export from")
    return torch.load(found[-1])


torch.manual_seed(6)
model = nn.Sequential(nn.Linear(40, 8), nn.ReLU(), nn.Linear(8, 40))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for it in range(1, 601):
    x = torch.randn(32, 4) @ torch.ones(4, 40)
    loss = (model(x) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 60 == 0:
        log.info("it=%d recon=%.4f", it, loss.item())
    if it % 150 == 0:
        writer.submit(write, model.state_dict(), it)
writer.shutdown()
log.info("training over, exporting the best snapshot")
export()
