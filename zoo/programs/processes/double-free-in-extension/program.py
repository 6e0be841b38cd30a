import ctypes

import torch

libc = ctypes.CDLL("libc.so.6")
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
w = torch.zeros(8, requires_grad=True)
for step in range(1, 200):
    loss = (w - 2).square().sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        w.grad = None
    if step % 20 == 0:
        print(f"step={step} loss={loss.item():.5f}", flush=True)
    if step == 100:
        block = libc.malloc(48)
        libc.free(block)
        libc.free(block)
