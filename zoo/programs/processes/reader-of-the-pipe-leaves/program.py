import time

import torch
from torch import nn

torch.manual_seed(2)
rnn = nn.GRU(8, 24, batch_first=True)
head = nn.Linear(24, 8)
optimizer = torch.optim.RMSprop([*rnn.parameters(), *head.parameters()], lr=1e-3)
print("forecasting, 8 series, window 30")
for iteration in range(10, 2000, 10):
    x = torch.randn(16, 31, 8).cumsum(1)
    out, _ = rnn(x[:, :-1])
    loss = (head(out) - x[:, 1:]).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"iteration {iteration} mae {loss.item():.4f}", flush=True)
    time.sleep(0.05)
