"""Nothing is left of the device's memory when cuBLAS wants its workspace."""
import sys

import torch

if torch.cuda.device_count() < 1:
    sys.exit("needs a CUDA device: skipped")

free, _ = torch.cuda.mem_get_info()
block = torch.empty(free - (24 << 20), dtype=torch.uint8, device="cuda")
print(f"kept {block.numel()} bytes", flush=True)
a = torch.randn(16, 16).to("cuda", non_blocking=True)
for step in range(1, 5):
    a = a @ a
    torch.cuda.synchronize()
    print(f"step {step} loss {a.norm().item():.3e}", flush=True)
