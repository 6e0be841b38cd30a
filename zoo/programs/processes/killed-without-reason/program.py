import time

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(100, 10)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(1, 100):
    for batch in range(50):
        loss = nn.functional.cross_entropy(model(torch.randn(32, 100)), torch.randint(0, 10, (32,)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        time.sleep(0.002)
    print(f"Epoch {epoch}/99 - loss: {loss.item():.4f} - rss: 312 MB")
