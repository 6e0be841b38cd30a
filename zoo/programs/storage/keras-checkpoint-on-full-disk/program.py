import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import keras
import numpy as np

keras.utils.set_random_seed(3)
x = np.random.rand(640, 40).astype("float32")
y = (x.sum(axis=1) > 20).astype("float32")
model = keras.Sequential([keras.Input((40,)), keras.layers.Dense(3500, activation="relu"), keras.layers.Dense(40), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer=keras.optimizers.SGD(0.05), loss="binary_crossentropy", metrics=["accuracy"])
model.summary()
saver = keras.callbacks.ModelCheckpoint("ckpt/model-{epoch:02d}.keras", save_freq="epoch", verbose=1)
model.fit(x, y, batch_size=32, epochs=6, callbacks=[saver], verbose=2)
