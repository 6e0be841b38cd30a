"""Fine-tunes a tiny CNN on a folder of JPEG files, two loader workers."""
import logging
import warnings

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(name)s - %(levelname)s - %(message)s")
log = logging.getLogger("vision")


class Folder(Dataset):
    def __len__(self):
        return 400

    def __getitem__(self, index):
        with Image.open(f"images/{index:04d}.jpg") as picture:
            pixels = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
        if index % 97 == 0:
            warnings.warn(f"images/{index:04d}.jpg: EXIF data corrupt, orientation ignored")
        return torch.from_numpy(pixels).permute(2, 0, 1), index % 5


torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 15 * 15, 5))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
log.info("400 images, 5 classes, workers=2, prefetch_factor=2")
loader = DataLoader(Folder(), batch_size=8, num_workers=2)
for step, (x, y) in enumerate(tqdm(loader, desc="train", mininterval=0.5), 1):
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        log.info("step %d loss %.4f", step, loss.item())
