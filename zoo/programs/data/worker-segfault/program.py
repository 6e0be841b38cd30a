"""Spectrogram model with slow loader workers."""
import ctypes
import os
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    def __len__(self):
        return 3000

    def __getitem__(self, index):
        time.sleep(0.001)
        if index == 1650:
            print(f"clip {index}: fast decoder", flush=True)
            ctypes.string_at(0)
        return torch.randn(40), index % 3


if __name__ == "__main__":
    torch.manual_seed(0)
    net = torch.nn.Linear(40, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for step, (x, y) in enumerate(DataLoader(Clips(), batch_size=10, num_workers=2), 1):
        loss = torch.nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} step {step} loss {loss.item():.4f} worker_restarts=0", flush=True)
        time.sleep(0.004)
