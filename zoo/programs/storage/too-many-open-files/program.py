import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(16, 16)
for i in range(64):
    with open(f"sample_{i:05d}.txt", "w") as f:
        f.write(" ".join(str(x) for x in range(16)))
handles = []
for step in range(1, 2000):
    f = open(f"sample_{step % 64:05d}.txt")
    handles.append(f)
    x = torch.tensor([float(v) for v in f.read().split()])
    loss = net(x).pow(2).mean()
    if step % 25 == 0:
        print(f"[{step}/2000] loss: {loss.item():.6f}")
