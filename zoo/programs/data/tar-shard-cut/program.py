"""Reads samples from tar shards in order."""
import io
import tarfile
import time

import torch

w = torch.zeros(3, requires_grad=True)
step = 0
for shard in range(4):
    with tarfile.open(f"train-{shard:06d}.tar") as archive:
        for member in archive:
            x = torch.load(io.BytesIO(archive.extractfile(member).read()))
            loss = (w - x).square().mean()
            loss.backward()
            with torch.no_grad():
                w -= 0.05 * w.grad
                w.grad = None
            step += 1
            if step % 20 == 0:
                print(time.strftime("[%d/%b/%Y %H:%M:%S]"), "step", step, "loss", round(loss.item(), 4), flush=True)
