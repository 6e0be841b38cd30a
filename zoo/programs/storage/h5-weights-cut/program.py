import sys

import keras
import numpy as np

model = keras.Sequential([keras.layers.Input((16,)), keras.layers.Dense(64), keras.layers.Dense(1)])
if "--save" in sys.argv:
    model.save_weights("best.weights.h5")
    raise SystemExit
print("restoring best.weights.h5")
model.load_weights("best.weights.h5")
model.compile("adam", "mse")
model.fit(np.random.rand(64, 16), np.random.rand(64), epochs=2, verbose=2)
