"""Grey images into a network for colour images."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))
print(model)
colour = torch.rand(4, 3, 28, 28)
print("dry run with colour images ok:", tuple(model(colour).shape), flush=True)
grey = torch.rand(64, 1, 28, 28)
for step in range(1, 5):
    print("step", step, model(grey).std().item())
