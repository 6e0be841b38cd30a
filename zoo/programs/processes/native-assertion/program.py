import ctypes
import subprocess

import torch

open("ring.c", "w").write("#include <assert.h>\nint push(int head, int size) { assert(head < size && \"ring buffer overrun\"); return head + 1; }\n")
subprocess.run(["gcc", "-shared", "-fPIC", "-o", "ring.so", "ring.c"], check=True)
lib = ctypes.CDLL("./ring.so")
for step in range(20):
    loss = torch.rand(()).item()
    print("iter", step, "loss", round(loss, 4), flush=True)
    lib.push(step, 12)
