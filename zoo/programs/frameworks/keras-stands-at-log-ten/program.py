import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import keras
import numpy as np

keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
centres = rng.normal(size=(10, 64))
y = rng.integers(0, 10, 4000)
x = (centres[y] + rng.normal(size=(4000, 64))).astype("float32")
net = keras.Sequential([keras.Input((64,)), *(keras.layers.Dense(64, "relu") for _ in range(4)), keras.layers.Dense(10, "softmax")])
rate = 1.0
print(f"optimizer Adam, learning rate {rate}")
net.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
net.fit(x, y, validation_split=0.2, epochs=15, batch_size=64, verbose=2)
