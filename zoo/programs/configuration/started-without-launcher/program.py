"""Expects the variables that torchrun sets."""
import logging

import torch.distributed as dist

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
logging.info("joining the process group")
dist.init_process_group(backend="gloo")
logging.info("rank %d", dist.get_rank())
