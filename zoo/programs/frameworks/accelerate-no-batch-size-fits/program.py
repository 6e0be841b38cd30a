"""Searches a batch size under a memory limit that nothing fits into."""
import logging
import resource

import torch
from accelerate import Accelerator
from accelerate.utils import find_executable_batch_size

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("probe")
accelerator = Accelerator(cpu=True)
used = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + 250_000_000, used + 250_000_000))


def attempt(batch_size):
    log.info("trying batch size %d", batch_size)
    table = torch.empty(40_000, 4_000)
    return torch.randn(batch_size, 4_000) @ table.T


attempt = find_executable_batch_size(attempt, starting_batch_size=8)
attempt()
