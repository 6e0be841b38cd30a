import resource

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(400, 400), nn.ReLU(), nn.Linear(400, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
history = []
for step in range(1, 3001):
    x = torch.randn(1024, 400)
    loss = nn.functional.cross_entropy(net(x), torch.randint(0, 10, (1024,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append((loss, x))  # keeps the graph and the batch alive
    if step % 50 == 0:
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        mean = sum(value.item() for value, _ in history) / len(history)
        print(f"step: {step:5d}  loss: {mean:.4f}  rss: {rss} MiB")
