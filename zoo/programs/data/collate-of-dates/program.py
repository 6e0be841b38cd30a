"""Demand forecast; the dataset hands out a date object with each sample."""
import datetime
import logging

import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s: %(message)s")
log = logging.getLogger("demand")


class Days(Dataset):
    def __init__(self, dated):
        self.dated = dated

    def __len__(self):
        return 320

    def __getitem__(self, index):
        day = datetime.date(2025, 1, 1) + datetime.timedelta(days=index)
        return torch.tensor([float(day.weekday()), float(day.month)]), (day if self.dated else day.toordinal()), index % 5


model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
loader = DataLoader(ConcatDataset([Days(False), Days(True)]), batch_size=16)
for step, (x, _, demand) in enumerate(loader, 1):
    loss = (model(x).squeeze(1) - demand.float()).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log.info("step %d mean squared error %.3f", step, loss.item())
