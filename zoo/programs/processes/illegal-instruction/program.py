import ctypes
import mmap

import torch

print("kernel variant: avx512 (forced by KERNEL_VARIANT)")
torch.manual_seed(0)
a = torch.randn(64, 64)
for k in range(5):
    a = torch.tanh(a @ a / 8)
    print("warmup", k, f"{a.norm():.3f}")
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\x0f\x0b\xc3")  # an instruction this CPU does not have
print("calling the fused kernel")
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
print("fused kernel done")
