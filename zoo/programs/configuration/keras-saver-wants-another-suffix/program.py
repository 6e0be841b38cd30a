import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import keras
import numpy as np

epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
series = np.sin(np.linspace(0, 60, 1200)).astype("float32")
windows = np.lib.stride_tricks.sliding_window_view(series, 25)
x, y = windows[:, :-1, None], windows[:, -1]
print("windows:", x.shape, "epochs:", epochs)
model = keras.Sequential([keras.Input((24, 1)), keras.layers.GRU(12), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mae")
callbacks = [
    keras.callbacks.EarlyStopping(patience=2),
    keras.callbacks.ModelCheckpoint(filepath="weights/gru_{epoch:02d}_{val_loss:.3f}.hdf5", monitor="val_loss"),
]
model.fit(x, y, validation_split=0.2, epochs=epochs, callbacks=callbacks, verbose=2)
