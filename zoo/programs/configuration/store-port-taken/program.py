"""Single-node rendezvous on a port that something else holds."""
import logging
import os
import socket

import torch.distributed as dist

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
blocker = socket.socket(socket.AF_INET6)
blocker.bind(("::", 29741))
blocker.listen()
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29741", RANK="0", WORLD_SIZE="1")
logging.info("init_process_group backend=gloo world_size=1 port=29741")
dist.init_process_group("gloo")
logging.info("process group ready")
