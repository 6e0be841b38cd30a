"""One of two NCCL ranks raises; the other waits for it in the next all-reduce."""
import sys

import torch

if torch.cuda.device_count() < 2:
    sys.exit("needs 2 CUDA devices: skipped")
import datetime
import torch.distributed as dist

dist.init_process_group("nccl", timeout=datetime.timedelta(seconds=20))
rank = dist.get_rank()
torch.cuda.set_device(rank)
for step in range(1, 60):
    if rank == 1 and step == 31:
        raise ValueError("sample 1984 has no target")
    dist.all_reduce(torch.ones(1 << 20, device="cuda"))
    torch.cuda.synchronize()
    if step % 10 == 0:
        print(f"[rank{rank}] step {step} loss {1 / step:.4f}", flush=True)
