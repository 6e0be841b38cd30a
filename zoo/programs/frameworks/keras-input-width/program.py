"""A saved pipeline feeds one feature fewer than the model takes."""
import logging
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "1"
import keras
import numpy as np

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
rng = np.random.default_rng(0)
model = keras.Sequential([keras.layers.Input((9,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.summary()
features = rng.normal(size=(320, 8)).astype("float32")
logging.info("features %s", features.shape)
model.fit(features, features.sum(1), epochs=3, verbose=2)
