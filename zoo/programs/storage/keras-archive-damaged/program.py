import sys

import keras

if "--save" in sys.argv:
    keras.Sequential([keras.layers.Input((16,)), keras.layers.Dense(64), keras.layers.Dense(1)]).save("model.keras")
    raise SystemExit
print("warm start from model.keras")
model = keras.models.load_model("model.keras")
model.summary()
