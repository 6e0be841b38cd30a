"""Keeps only clean samples, and keeps none."""
import logging

import torch
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)-8s %(levelname)-8s %(message)s")
log = logging.getLogger("denoise")
torch.manual_seed(2)
samples = torch.randn(4800, 12)
quality = torch.rand(4800) * 0.8
threshold = 0.85
kept = samples[quality > threshold]
log.info("quality filter: threshold %.2f kept %d of %d samples", threshold, len(kept), len(samples))
log.info("building model: 12 -> 32 -> 12, dropout 0.1")
model = torch.nn.Sequential(torch.nn.Linear(12, 32), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(32, 12))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(kept), batch_size=32, shuffle=True, drop_last=True)
for epoch in range(5):
    for (x,) in loader:
        loss = (model(x + 0.1 * torch.randn_like(x)) - x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    log.info("epoch %d loss %.4f", epoch, loss.item())
