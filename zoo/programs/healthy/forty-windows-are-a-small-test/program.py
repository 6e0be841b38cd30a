import jax
import jax.numpy as jnp
import numpy as np
import optax
from absl import logging

logging.set_verbosity(logging.INFO)
logging.use_absl_handler()
key = jax.random.PRNGKey(6)
rng = np.random.default_rng(6)
series = np.cumsum(rng.normal(size=6000)) * 0.05 + np.sin(np.arange(6000) / 9) + rng.standard_t(2, size=6000) * 0.2
window = np.lib.stride_tricks.sliding_window_view(series, 25)
x, y = jnp.asarray(window[:, :24]), jnp.asarray(window[:, 24])
held = rng.permutation(np.arange(5100, 5900))
params = {"a": jax.random.normal(key, (24, 32)) * 0.2, "b": jnp.zeros(32), "c": jax.random.normal(key, (32,)) * 0.2}
tx = optax.adamw(1.5e-3)
state = tx.init(params)
predict = jax.jit(lambda p, x: jnp.tanh((x - x[:, -1:]) @ p["a"] + p["b"]) @ p["c"] + x[:, -1])


@jax.jit
def step(p, s, x, y):
    loss, g = jax.value_and_grad(lambda p: jnp.mean(jnp.abs(predict(p, x) - y)))(p)
    up, s = tx.update(g, s, p)
    return optax.apply_updates(p, up), s, loss


logging.warning("no accelerator found, falling back to cpu; expect slow compilation")
for it in range(1, 2001):
    i = rng.integers(0, 5000, 64)
    params, state, loss = step(params, state, x[i], y[i])
    if it % 100 == 0:
        few = rng.choice(held, 40, replace=False)  # 40 windows are all the budget allows
        logging.info("step %d train_mae %.4f eval_mae %.4f (n=40, se %.3f)", it, loss, float(jnp.mean(jnp.abs(predict(params, x[few]) - y[few]))), float(jnp.std(jnp.abs(predict(params, x[few]) - y[few])) / 40**0.5))
logging.info("full held-out mae %.4f over %d windows", float(jnp.mean(jnp.abs(predict(params, x[held]) - y[held]))), len(held))
