import os
import torch
import torch.distributed as dist
dist.init_process_group("gloo")
rank = dist.get_rank()
w = torch.zeros(4)
for step in range(1, 61):
    g = w - 2 + torch.randn(4) * 0.01
    dist.all_reduce(g)
    w -= 0.05 * g
    if step % 20 == 0:
        print(f"[rank{rank}] step {step} loss {(w - 2).square().mean():.5f}", flush=True)
if rank == 0:
    torch.save(w, "final.pt")
    print("[rank0] checkpoint final.pt saved", flush=True)
dist.barrier()
dist.destroy_process_group()
