import time

import torch
from torch import nn

torch.manual_seed(0)
w = torch.randn(16, 1)
net = nn.Linear(16, 1)
opt = torch.optim.SGD(net.parameters(), 0.02)
history = []
for step in range(1, 161):
    start = time.perf_counter()
    x = torch.randn(64, 16)
    loss = nn.functional.mse_loss(net(x), x @ w)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(x)
    # per-step statistics over everything seen so far
    time.sleep(0.004 + 0.0009 * len(history))
    took = time.perf_counter() - start
    print(f"step={step} loss={loss.item():.5f} step_time={took:.4f}s samples/s={64 / took:.1f}", flush=True)
