"""Both ranks take device 0, which NCCL refuses."""
import sys

import torch

if torch.cuda.device_count() < 1:
    sys.exit("needs a CUDA device: skipped")
import torch.distributed as dist

dist.init_process_group("nccl")
torch.cuda.set_device(0)
dist.all_reduce(torch.ones(4, device="cuda"))
torch.cuda.synchronize()
print(f"[rank{dist.get_rank()}] step 1", flush=True)
