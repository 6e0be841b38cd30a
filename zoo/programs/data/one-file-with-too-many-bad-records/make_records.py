import struct

import numpy as np

rng = np.random.default_rng(3)
for part in range(5):
    with open(f"part-{part:02d}.rec", "wb") as file:
        for number in range(200):
            body = struct.pack("<16fI", *rng.normal(size=16), number % 3)
            if part == 3 and number >= 120 or part == 1 and number == 57:
                body = body[:40]
            file.write(struct.pack("<I", len(body)) + body)
