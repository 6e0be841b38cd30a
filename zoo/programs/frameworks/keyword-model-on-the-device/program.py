import keras
import numpy as np

keras.utils.set_random_seed(14)
rng = np.random.default_rng(14)
WORDS = ["yes", "no", "left", "right", "stop", "go"]
pitch = rng.uniform(0.02, 0.45, size=(6, 3))


def clip(word):
    t = np.arange(1024)
    wave = sum(np.sin(2 * np.pi * f * t + rng.uniform(0, 6)) for f in pitch[word])
    return (wave + 0.7 * rng.normal(size=1024)) * rng.uniform(800, 12000)  # 16-bit range, speakers near and far


def spectrum(wave):
    return np.abs(np.fft.rfft(wave.reshape(8, 128) * np.hanning(128), axis=1))[:, :64]


def front_end(wave):
    s = np.log(spectrum(wave) + 1)
    return (s - s.mean()) / s.std()


def front_end_on_device(wave):
    return front_end(wave)[:, bits]  # the fixed-point FFT leaves its output in bit-reversed order


bits = np.array([int(f"{k:06b}"[::-1], 2) for k in range(64)])
y = rng.integers(0, 6, 1500)
waves = [clip(k) for k in y]
x = np.stack([front_end(w) for w in waves])
model = keras.Sequential([keras.Input((8, 64)), keras.layers.Conv1D(24, 3, activation="relu"), keras.layers.GlobalMaxPooling1D(), keras.layers.Dropout(0.2), keras.layers.Dense(6, activation="softmax")])
model.compile(keras.optimizers.Adam(3e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x[:1200], y[:1200], validation_data=(x[1200:], y[1200:]), epochs=8, batch_size=32, verbose=2)
on_device = np.stack([front_end_on_device(w) for w in waves[1200:]])
loss, acc = model.evaluate(on_device, y[1200:], verbose=0)
print(f"[board-test] same 300 clips, features computed by the firmware front end: loss {loss:.3f} accuracy {acc:.3f}")
print(f"[board-test] clip 0 frame 0 host : {np.array2string(x[1200, 0, :8], precision=2)}")
print(f"[board-test] clip 0 frame 0 board: {np.array2string(on_device[0, 0, :8], precision=2)}")
print("[board-test] FAIL, accuracy on the board must stay within 2 points of the host")
raise SystemExit(4)
