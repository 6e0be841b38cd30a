"""A hand-written kernel writes far outside its array."""
import sys

import torch

if torch.cuda.device_count() < 1:
    sys.exit("needs a CUDA device: skipped")
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
__global__ void scatter(float* out, long far) { out[threadIdx.x + far] = 1.0f; }
void run(torch::Tensor out, int64_t far) { scatter<<<1, 32>>>(out.data_ptr<float>(), far); }
"""
ext = load_inline(name="scatter_far", cpp_sources="void run(torch::Tensor out, int64_t far);", cuda_sources=source, functions=["run"])
out = torch.zeros(1024, device="cuda")
for step in range(1, 20):
    ext.run(out, 0 if step < 12 else 1 << 40)
    torch.cuda.synchronize()
    print(f"step {step} loss {out.sum().item():.1f}", flush=True)
