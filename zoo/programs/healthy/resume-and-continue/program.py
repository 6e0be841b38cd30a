"""Continues from a checkpoint; older ones are gone and one is unreadable."""
import glob
import logging
import os

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s [checkpoint] %(message)s")
torch.manual_seed(0)
model = torch.nn.Linear(12, 12)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
os.makedirs("ck", exist_ok=True)
for step in (100, 200):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, f"ck/{step:06d}.pt")
open("ck/000300.pt", "wb").write(open("ck/000200.pt", "rb").read()[:700])
first = 0
for path in sorted(glob.glob("ck/*.pt"), reverse=True):
    try:
        state = torch.load(path)
    except Exception as error:
        logging.warning("%s cannot be read (%s), trying the one before", path, str(error).splitlines()[0])
        continue
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    first = state["step"]
    logging.info("resumed from %s at step %d", path, first)
    break
for step in range(first + 1, 601):
    x = torch.randn(32, 12)
    loss = (model(x) - x.flip(1)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 40 == 0:
        logging.info("step %d loss %.4f", step, loss.item())
logging.info("finished at step 600")
