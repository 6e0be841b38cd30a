import argparse
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "1"
import keras
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--crop", type=int, default=16)
parser.add_argument("--batch", type=int, default=2)
args = parser.parse_args()
print(f"crops of {args.crop} x {args.crop}, batch {args.batch}", flush=True)
image = keras.Input((args.crop, args.crop, 1))
h = keras.layers.Conv2D(8, 3, padding="same", activation="relu")(image)
h = keras.layers.Reshape((args.crop * args.crop, 8))(h)
h = keras.layers.MultiHeadAttention(2, 4)(h, h)
h = keras.layers.GlobalAveragePooling1D()(h)
model = keras.Model(image, keras.layers.Dense(2)(h))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
scans = np.random.default_rng(0).random((16, args.crop, args.crop, 1), dtype="float32")
model.fit(scans, np.arange(16) % 2, batch_size=args.batch, epochs=2, verbose=2)
