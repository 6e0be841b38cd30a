import os
import time

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    """Decoded clips are kept, so each worker grows with every epoch."""

    def __init__(self):
        self.decoded = {}

    def __len__(self):
        return 4000

    def __getitem__(self, i):
        if i not in self.decoded:
            self.decoded[i] = np.full(120_000, i, dtype=np.float32)
        return torch.from_numpy(self.decoded[i][:100])


def main():
    loader = DataLoader(Clips(), batch_size=20, num_workers=2)
    lin = torch.nn.Linear(100, 1)
    print(f"pid {os.getpid()}: 4000 clips, 2 workers")
    for i, batch in enumerate(loader, 1):
        loss = (lin(batch / 4000) ** 2).mean()
        loss.backward()
        if i % 10 == 0:
            print(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} batch {i}/200 loss {loss.item():.4f}")
        time.sleep(0.02)


main()
