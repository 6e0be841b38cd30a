"""JAX with an optimizer that skips non-finite updates; one batch is bad."""
import logging

import jax
import jax.numpy as jnp
import optax

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
logging.getLogger("jax").setLevel(logging.WARNING)
x = jax.random.normal(jax.random.key(0), (512, 6))
y = x @ jnp.arange(6.0)
params = jnp.zeros(6)
guard = optax.apply_if_finite(optax.adam(0.05), max_consecutive_errors=3)
state = guard.init(params)


@jax.jit
def update(params, state, x, y):
    loss, gradient = jax.value_and_grad(lambda p: jnp.mean((x @ p - y) ** 2))(params)
    change, state = guard.update(gradient, state, params)
    return optax.apply_updates(params, change), state, loss


for step in range(1, 301):
    rows = slice((step * 32) % 512, (step * 32) % 512 + 32)
    batch = x[rows] if step != 140 else x[rows].at[0, 0].set(jnp.inf)
    params, state, loss = update(params, state, batch, y[rows])
    if not bool(state.last_finite):
        logging.warning("step %d: gradient is not finite, update skipped (%d so far)", step, state.total_notfinite)
    if step % 20 == 0:
        logging.info("step %d loss %.5f", step, update(params, state, x, y)[2])
logging.info("finished, loss %.6f", update(params, state, x, y)[2])
