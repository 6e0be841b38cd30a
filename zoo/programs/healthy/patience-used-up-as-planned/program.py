import keras
import numpy as np

keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)
x = rng.normal(size=(900, 40)).astype("float32")
y = (x[:, 0] + x[:, 1] ** 2 + 0.8 * rng.normal(size=900) > 0.9).astype("float32")
model = keras.Sequential([keras.Input((40,)), keras.layers.Dense(128, activation="relu"), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
model.compile(keras.optimizers.Adam(2e-3), "binary_crossentropy", metrics=["accuracy", keras.metrics.AUC(name="auc")])
stop = keras.callbacks.EarlyStopping("val_loss", patience=4, restore_best_weights=True, verbose=1)
model.fit(x[:600], y[:600], validation_data=(x[600:750], y[600:750]), epochs=60, batch_size=32, verbose=2, callbacks=[stop, keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True, verbose=0)])
loss, accuracy, auc = model.evaluate(x[750:], y[750:], verbose=0)
print(f"held-out patients: loss {loss:.3f}, accuracy {accuracy:.3f}, AUC {auc:.3f}")
print("best.keras is ready to be reviewed")
