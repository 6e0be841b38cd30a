import datetime
import logging
import os

import torch.distributed as dist

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29633")
logging.info("WORLD_SIZE=%s RANK=%s, waiting for the others", os.environ["WORLD_SIZE"], os.environ["RANK"])
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=10))
logging.info("process group ready")
