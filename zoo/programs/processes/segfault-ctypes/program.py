import ctypes

import torch
from torch import nn


class FastAugment:
    """Calls into a native routine with a buffer it believes is large enough."""

    def __call__(self, t):
        ctypes.memset(t.data_ptr() ^ 0x7F0000000000, 0, 1 << 16)
        return t


torch.manual_seed(0)
net = nn.Linear(64, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.05)
augment = FastAugment()
for it in range(500):
    x = torch.randn(8, 64)
    if it == 137:
        x = augment(x)
    loss = nn.functional.cross_entropy(net(x), torch.zeros(8, dtype=torch.long))
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    if it % 20 == 0:
        print(f"[iter {it:05d}] loss: {loss.item():.6f}")
