"""Old checkpoints cannot be removed, which is logged and ignored."""
import logging
import os
import time

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", datefmt="%Y/%m/%d %H:%M:%S")
torch.manual_seed(0)
model = torch.nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
saved = []
os.makedirs("keep")
os.makedirs("ck/step_0/locked", exist_ok=True)
saved.append("ck/step_0")
for step in range(1, 501):
    x = torch.randn(32, 16)
    loss = (model(x) - x[:, :4]).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        logging.info("step %d loss %.4f", step, loss.item())
    if step % 100 == 0:
        path = f"ck/step_{step}"
        torch.save(model.state_dict(), path)
        saved.append(path)
        oldest = saved.pop(0)
        try:
            os.remove(oldest)
        except OSError as error:
            logging.error("failed to remove old checkpoint %s: %s", oldest, error)
        time.sleep(0.01)
logging.info("finished, last checkpoint ck/step_500")
