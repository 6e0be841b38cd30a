import keras
import numpy as np

keras.utils.set_random_seed(15)
rng = np.random.default_rng(15)
x = rng.normal(size=(1500, 20)).astype("float32")
y = (np.tanh(x[:, :5].sum(1)) + 0.4 * rng.normal(size=1500)).astype("float32")
net = keras.Sequential([keras.Input((20,)), keras.layers.Dense(32, "relu"), keras.layers.Dropout(0.2), keras.layers.Dense(1)])
net.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
slower = keras.callbacks.ReduceLROnPlateau(factor=0.3, patience=3, verbose=1)
stop = keras.callbacks.EarlyStopping(patience=8, restore_best_weights=True, verbose=1)
best = keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True, verbose=1)
net.fit(x[:1000], y[:1000], validation_data=(x[1000:1250], y[1000:1250]), epochs=40, batch_size=50, verbose=2, callbacks=[slower, stop, best])
print("test mse %.4f mae %.4f" % tuple(net.evaluate(x[1250:], y[1250:], verbose=0)))
