import mmap
import os

import torch

with open("tokens.bin", "wb") as f:
    f.write(b"\x01\x02" * 400_000)
f = open("tokens.bin", "r+b")
view = mmap.mmap(f.fileno(), 0)
total = 0
for step in range(1, 101):
    chunk = view[(step - 1) * 8000 : step * 8000]
    total += int(torch.frombuffer(bytearray(chunk), dtype=torch.int16).sum())
    if step % 10 == 0:
        print(f"step {step:>4} tokens {step * 4000:>8} checksum {total}")
    if step == 55:
        os.truncate("tokens.bin", 4096)  # the sync job rewrites the file in place
