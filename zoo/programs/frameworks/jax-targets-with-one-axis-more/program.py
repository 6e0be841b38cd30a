import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

rng = np.random.default_rng(25)
load = np.sin(np.arange(4000) * 2 * np.pi / 24) + 0.3 * np.sin(np.arange(4000) * 2 * np.pi / 168) + 0.1 * rng.normal(size=4000)
win = np.lib.stride_tricks.sliding_window_view(load, 49)
X, Y = jnp.asarray(win[:, :48]), jnp.asarray(win[:, 48])
Xv, Yv = X[3200:], Y[3200:].reshape(-1, 1)  # as the parquet reader gives it


def init(key):
    a, b = jax.random.split(key)
    return {"w1": jax.random.normal(a, (48, 32)) * 0.15, "b1": jnp.zeros(32), "w2": jax.random.normal(b, (32,)) * 0.15, "b2": 0.0}


def forward(p, x):
    return jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def mse(p, x, y):
    return jnp.mean((forward(p, x) - y) ** 2)


tx = optax.adam(2e-3)


@jax.jit
def fit_one(p, s, x, y):
    value, g = jax.value_and_grad(mse)(p, x, y)
    u, s = tx.update(g, s)
    return optax.apply_updates(p, u), s, value


p = init(jax.random.PRNGKey(1))
s = tx.init(p)
print("epoch    sec   fit_mse   val_mse")
for epoch in range(1, 13):
    t, total = time.time(), []
    for i in np.array_split(rng.permutation(3100), 50):
        p, s, v = fit_one(p, s, X[i], Y[i])
        total.append(float(v))
    print(f"{epoch:5d} {time.time() - t:6.2f} {np.mean(total):9.4f} {float(mse(p, Xv, Yv)):9.4f}", flush=True)
by_hand = float(np.mean((np.asarray(forward(p, Xv)) - np.asarray(Yv)[:, 0]) ** 2))
print(f"recomputed in numpy from the stored predictions: val mse {by_hand:.4f}. variance of the targets {float(jnp.var(Yv)):.4f}")
print(f"shapes: predictions {forward(p, Xv).shape} targets {Yv.shape} difference {(forward(p, Xv) - Yv).shape}")
