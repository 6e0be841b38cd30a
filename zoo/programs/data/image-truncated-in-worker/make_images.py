"""Writes a folder of small PNG and JPEG files for the run."""
import io
import random
from pathlib import Path

from PIL import Image

random.seed(4)
folder = Path("images")
folder.mkdir()
for index in range(400):
    picture = Image.new("RGB", (32, 32), tuple(random.randrange(256) for _ in range(3)))
    for _ in range(60):
        picture.putpixel((random.randrange(32), random.randrange(32)), tuple(random.randrange(256) for _ in range(3)))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=90)
    (folder / f"{index:04d}.jpg").write_bytes(buffer.getvalue())

damaged = folder / "0306.jpg"
damaged.write_bytes(damaged.read_bytes()[:500])
