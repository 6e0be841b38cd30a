"""Stops at the end of an epoch when it is asked to."""
import signal
import time

import keras
import numpy as np

asked = False


def on_term(number, frame):
    global asked
    asked = True
    print("\nWARNING: got SIGTERM, will stop after this epoch", flush=True)


class Leave(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        time.sleep(0.02)

    def on_epoch_end(self, epoch, logs=None):
        if asked:
            self.model.save("interrupted.keras")
            print(f"epoch {epoch + 1} finished, state saved to interrupted.keras, leaving", flush=True)
            self.model.stop_training = True


signal.signal(signal.SIGTERM, on_term)
keras.utils.set_random_seed(1)
x = np.random.default_rng(1).normal(size=(1000, 6)).astype("float32")
model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, np.maximum(x[:, 0], x[:, 1]), epochs=40, batch_size=50, verbose=2, callbacks=[Leave()])
print("exit 0, to be continued")
