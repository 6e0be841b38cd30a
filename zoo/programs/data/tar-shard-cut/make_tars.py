"""Packs 60 samples into each of four tar shards and cuts the third."""
import io
import tarfile

import torch

for shard in range(4):
    with tarfile.open(f"train-{shard:06d}.tar", "w") as archive:
        for index in range(60):
            buffer = io.BytesIO()
            torch.save(torch.randn(3), buffer)
            info = tarfile.TarInfo(f"{shard}-{index:04d}.pth")
            info.size = buffer.tell()
            buffer.seek(0)
            archive.addfile(info, buffer)
raw = open("train-000002.tar", "rb").read()
open("train-000002.tar", "wb").write(raw[: len(raw) // 2 + 700])
