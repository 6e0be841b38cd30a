import numpy as np
import torch
from multiprocessing import shared_memory
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    """Workers put decoded frames into one shared buffer."""

    def __init__(self):
        self.name = None

    def __len__(self):
        return 200

    def __getitem__(self, i):
        block = shared_memory.SharedMemory(name="frames")
        view = np.ndarray((200, 200_000), dtype=np.uint8, buffer=block.buf)
        view[i] = i % 256
        return torch.tensor(float(view[i].mean()))


if __name__ == "__main__":
    buffer = shared_memory.SharedMemory(name="frames", create=True, size=200 * 200_000)
    print("shared frame buffer: %.1f MB" % (buffer.size / 1e6))
    seen = 0
    for n, batch in enumerate(DataLoader(Frames(), batch_size=4, num_workers=1)):
        seen += len(batch)
        if n % 5 == 0:
            print(f"iteration {n}: {seen} frames, mean {batch.mean():.2f}")
