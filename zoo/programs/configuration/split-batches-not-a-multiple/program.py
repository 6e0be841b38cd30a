import argparse

import torch
from accelerate import Accelerator
from accelerate.utils import DataLoaderConfiguration
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=48)
args = parser.parse_args()
accelerator = Accelerator(cpu=True, dataloader_config=DataLoaderConfiguration(split_batches=True))
accelerator.print(f"{accelerator.num_processes} processes, batch {args.batch} in total")
x = torch.randn(600, 10)
loader = DataLoader(TensorDataset(x, x.abs().sum(1, keepdim=True)), batch_size=args.batch, shuffle=True)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for epoch in range(3):
    for inputs, target in loader:
        loss = (model(inputs) - target).pow(2).mean()
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()
    accelerator.print(f"epoch {epoch} loss {loss.item():.4f}")
