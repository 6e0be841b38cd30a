import keras
import numpy as np

model = keras.Sequential([keras.layers.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adamw_8bit", loss="mse")
model.fit(np.random.rand(64, 8), np.random.rand(64), epochs=2, verbose=2)
