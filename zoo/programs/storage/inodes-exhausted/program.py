import os

import torch

print("extracting frame features to cache/")
for clip in range(10):
    os.makedirs(f"cache/clip_{clip:03d}")
    for frame in range(40):
        torch.save(torch.randn(4), f"cache/clip_{clip:03d}/{frame:04d}.pt")
    usage = os.statvfs("cache")
    print(f"clip {clip}: 40 frames, {100 * usage.f_bavail / usage.f_blocks:.0f} % of the volume free")
