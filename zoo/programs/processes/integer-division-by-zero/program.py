import ctypes
import subprocess

import torch

open("bin.c", "w").write("int bucket(int n, int k) { return n % k; }\n")
subprocess.run(["gcc", "-O0", "-shared", "-fPIC", "-o", "bin.so", "bin.c"], check=True)
lib = ctypes.CDLL("./bin.so")
for epoch in range(4):
    loss = torch.rand(()).item() / (epoch + 1)
    print(f"epoch {epoch}: loss={loss:.4f} bucket={lib.bucket(100, 3 - epoch)}", flush=True)
