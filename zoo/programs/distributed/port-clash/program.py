import sys

import torch
import torch.distributed as dist

torch.manual_seed(0)
dist.init_process_group("gloo")
print("rank", dist.get_rank(), "joined", file=sys.stderr)
dist.barrier()
dist.destroy_process_group()
