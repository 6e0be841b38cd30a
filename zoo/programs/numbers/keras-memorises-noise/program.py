import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np

keras.utils.set_random_seed(7)
rng = np.random.default_rng(7)
x, vx = rng.normal(size=(400, 30)), rng.normal(size=(200, 30))
y, vy = (x[:, 0] + 1.2 * rng.normal(size=400) > 0), (vx[:, 0] + 1.2 * rng.normal(size=200) > 0)
model = keras.Sequential([keras.Input((30,)), keras.layers.Dense(256, "relu"), keras.layers.Dense(256, "relu"), keras.layers.Dense(1, "sigmoid")])
model.compile(keras.optimizers.Adam(2e-3), "binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, validation_data=(vx, vy), epochs=20, batch_size=32, verbose=1)
model.save("last.keras")
