import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import queue
import threading

import keras
import numpy as np

keras.utils.set_random_seed(4)
ready = queue.Queue(maxsize=4)


def fill():
    rng = np.random.default_rng(4)
    for at in range(230):
        x = rng.normal(size=(32, 12)).astype("float32")
        ready.put((x, (x[:, :1] > x[:, 1:2]).astype("float32")))
    threading.Event().wait()  # the reader of the next shard sleeps on a mount that is gone


def batches():
    while True:
        yield ready.get()


threading.Thread(target=fill, daemon=True).start()
net = keras.Sequential([keras.Input((12,)), keras.layers.Dense(32, "relu"), keras.layers.Dense(1, "sigmoid")])
net.compile("adam", "binary_crossentropy", metrics=["accuracy"])
net.fit(batches(), steps_per_epoch=100, epochs=8, verbose=2)
