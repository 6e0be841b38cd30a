import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import keras
import numpy as np
from keras import ops

keras.utils.set_random_seed(12)
rng = np.random.default_rng(12)
x = rng.uniform(-2, 2, (2000, 3)).astype("float32")
y = (x[:, :1] ** 2 + 0.05 * rng.normal(size=(2000, 1))).astype("float32")


def gaussian(truth, out):
    mean, variance = out[:, :1], out[:, 1:]
    return ops.mean(0.5 * ops.log(variance) + 0.5 * (truth - mean) ** 2 / variance)


last = keras.layers.Dense(2, bias_initializer=keras.initializers.Constant(3.0), kernel_initializer=keras.initializers.RandomNormal(stddev=0.01))
net = keras.Sequential([keras.Input((3,)), keras.layers.Dense(32, "relu"), last])
net.compile(keras.optimizers.Adam(2e-3), gaussian)
net.fit(x, y, epochs=25, batch_size=50, validation_split=0.1, verbose=2, callbacks=[keras.callbacks.CSVLogger("history.csv")])
