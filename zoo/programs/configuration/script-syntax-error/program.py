"""An edit left a bracket open."""
import torch

model = torch.nn.Sequential(
    torch.nn.Linear(4, 8),
    torch.nn.ReLU(,
    torch.nn.Linear(8, 1),
)
for step in range(10):
    print("step", step)
