"""Keras with a reduced learning rate, early stopping and a legacy save."""
import keras
import numpy as np

keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
x = rng.normal(size=(800, 6)).astype("float32")
y = (x[:, :2].sum(1) + 0.8 * rng.normal(size=800) > 0).astype("float32")
model = keras.Sequential([keras.layers.Dense(8, activation="relu", input_shape=(6,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
callbacks = [keras.callbacks.TerminateOnNaN(), keras.callbacks.ReduceLROnPlateau(patience=1, verbose=1, min_delta=0.01), keras.callbacks.EarlyStopping(patience=3, verbose=1, restore_best_weights=True)]
model.fit(x, y, validation_split=0.25, epochs=25, verbose=2, callbacks=callbacks)
model.save("model.h5")
print("saved model.h5")
