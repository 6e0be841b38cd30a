import ctypes
import sys

import torch
from torch import nn

libc = ctypes.CDLL("libc.so.6")
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
torch.manual_seed(0)
net = nn.Linear(4, 4)
scratch = libc.malloc(4096)
for n in range(40):
    loss = net(torch.randn(4, 4)).pow(2).mean()
    print("n", n, "loss", round(loss.item(), 4), file=sys.stderr)
    if n == 20:
        libc.free(scratch)
        libc.free(scratch)
