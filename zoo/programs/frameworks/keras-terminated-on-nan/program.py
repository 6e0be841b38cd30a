"""Poisson regression with a learning rate that overflows."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import keras
import numpy as np

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
x = rng.normal(size=(640, 5)).astype("float32")
y = rng.poisson(np.exp(x[:, 0])).astype("float32")
model = keras.Sequential([keras.layers.Input((5,)), keras.layers.Dense(1, activation="exponential")])
model.compile(optimizer=keras.optimizers.SGD(2.0), loss="poisson")
history = model.fit(x, y, batch_size=32, epochs=6, verbose=2, callbacks=[keras.callbacks.TerminateOnNaN()])
print("epochs run:", len(history.epoch))
