import torch

x = torch.randn(10, 3)
w = torch.zeros(4, requires_grad=True)
for step in range(100):
    print(step, (x @ w).sum().item())
