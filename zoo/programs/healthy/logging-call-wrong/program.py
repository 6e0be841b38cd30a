"""A logging call has too few arguments; logging prints a traceback and goes on."""
import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("train")
torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(1, 261):
    x = torch.randn(32, 4)
    loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        log.info("step %d loss %.4f", step, loss.item())
    if step == 120:
        log.info("learning rate %d of %s", 0.01)
log.info("finished")
