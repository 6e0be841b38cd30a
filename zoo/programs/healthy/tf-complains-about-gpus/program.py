import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.rand(400, 8)
y = x @ np.arange(8) + 0.1 * np.random.randn(400)
model = keras.Sequential([keras.layers.Input((8,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
stop = keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True, verbose=1)
model.fit(x, y, validation_split=0.2, epochs=12, verbose=2, callbacks=[stop])
print("test mae", model.evaluate(x[:50], y[:50], verbose=0)[1])
print("training finished")
