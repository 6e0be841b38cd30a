"""One sample is read from a share that does not answer."""
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Remote(Dataset):
    def __len__(self):
        return 640

    def __getitem__(self, index):
        if index == 401:
            time.sleep(600)
        return torch.full((4,), float(index % 9))


w = torch.zeros(4, requires_grad=True)
for step, x in enumerate(DataLoader(Remote(), batch_size=16, num_workers=1, timeout=5), 1):
    loss = (w - x).square().mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
    print(f"INFO {time.strftime('%H:%M:%S')} step={step} loss={loss.item():.4f} timeout=5 errors=0", flush=True)
