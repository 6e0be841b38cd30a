import datetime
import os
import sys

import torch.distributed as dist

host, port = os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"]
print(f"[rank {os.environ['RANK']}] connecting to {host}:{port}", file=sys.stderr)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=8))
print("connected")
