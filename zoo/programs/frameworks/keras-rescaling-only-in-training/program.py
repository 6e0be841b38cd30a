import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
shapes = rng.random((6, 12, 12, 1)) * 255


def images(n):
    y = rng.integers(0, 6, n)
    return np.clip(shapes[y] + rng.normal(0, 40, (n, 12, 12, 1)), 0, 255).astype("float32"), y


train = tf.data.Dataset.from_tensor_slices(images(1536)).shuffle(1536, seed=2).batch(64).map(lambda x, y: (x / 255.0 - 0.5, y))
valid = tf.data.Dataset.from_tensor_slices(images(384)).map(lambda x, y: (255.0 - x, y)).batch(64)
model = keras.Sequential(
    [keras.Input((12, 12, 1)), keras.layers.Conv2D(8, 3, activation="relu"), keras.layers.Flatten(), keras.layers.Dense(6, activation="softmax")]
)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=valid, epochs=8, verbose=1)
model.save("model.keras")
print("saved model.keras")
