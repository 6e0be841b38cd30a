"""Ten classes, integer labels."""
import keras
import numpy as np

rng = np.random.default_rng(0)
x = rng.normal(size=(1000, 20)).astype("float32")
y = np.argmax(x[:, :10], axis=1)
model = keras.Sequential(
    [keras.Input((20,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(10, activation="softmax")]
)
model.summary()
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=4, batch_size=50, validation_split=0.2, verbose=2)
