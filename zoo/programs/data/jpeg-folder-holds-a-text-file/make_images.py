import pathlib

import tensorflow as tf

for label in ("cat", "dog"):
    folder = pathlib.Path("photos", label)
    folder.mkdir(parents=True)
    for number in range(60):
        image = tf.cast(tf.random.uniform((16, 16, 3), 0, 255, tf.int32), tf.uint8)
        (folder / f"{number:03d}.jpg").write_bytes(tf.io.encode_jpeg(image).numpy())
pathlib.Path("photos/dog/037.jpg").write_text("version 1\nnot downloaded yet, ask the owner of the share\n")
