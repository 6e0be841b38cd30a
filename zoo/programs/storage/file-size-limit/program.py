import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1000, 1500), nn.ReLU(), nn.Linear(1500, 1000))
opt = torch.optim.Adam(net.parameters(), lr=1e-4)
for it in range(30):
    loss = net(torch.randn(8, 1000)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 10 == 9:
        print(f"it {it + 1}: loss = {loss.item():.5f}")
print("writing final.npz")
import numpy as np

np.savez("final.npz", **{k.replace(".", "_"): v.numpy() for k, v in net.state_dict().items()})
print("done")
