import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np

keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)
centres = rng.normal(size=(4, 20)) * 0.9


def rows(n):
    y = rng.integers(0, 4, n)
    return centres[y] + rng.normal(size=(n, 20)), y


x, y = rows(1500)
model = keras.Sequential([keras.Input((20,)), keras.layers.Dense(128, "relu"), keras.layers.Dense(4, "softmax")])
model.compile(keras.optimizers.Adam(3e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, validation_data=rows(500), epochs=14, batch_size=32, verbose=1, callbacks=[keras.callbacks.ModelCheckpoint("best.keras", monitor="val_accuracy", save_best_only=True)])
