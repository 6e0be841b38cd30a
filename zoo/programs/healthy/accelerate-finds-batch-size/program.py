"""Halves the batch size until it fits under the memory limit, then trains."""
import logging
import resource

import torch
from accelerate import Accelerator
from accelerate.utils import find_executable_batch_size

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("probe")
Accelerator(cpu=True)
used = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000, used + 300_000_000))


@find_executable_batch_size(starting_batch_size=4096, reduce_batch_size_fn=None)
def train(batch_size):
    log.info("trying batch size %d", batch_size)
    model = torch.nn.Linear(64, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    try:
        torch.empty(batch_size, 64, 1024)
    except RuntimeError as error:
        log.warning("batch size %d failed: %s", batch_size, str(error).splitlines()[0])
        raise
    for step in range(1, 201):
        x = torch.randn(32, 64)
        loss = (model(x) - x.mean(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            log.info("step %d loss %.5f", step, loss.item())


train()
log.info("finished")
