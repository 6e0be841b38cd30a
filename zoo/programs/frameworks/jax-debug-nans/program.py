"""Fits a rate with a log that goes negative; the NaN checker is on."""
import logging

import jax
import jax.numpy as jnp

logging.basicConfig(level=logging.INFO, format="I%(asctime)s %(process)d %(filename)s:%(lineno)d] %(message)s", datefmt="%m%d %H:%M:%S")
logging.getLogger("jax").setLevel(logging.ERROR)
jax.config.update("jax_debug_nans", True)
x = jnp.linspace(0.1, 2.0, 64)
y = jnp.log(x + 1.5)


def loss(shift):
    return jnp.mean((jnp.log(x + shift) - y) ** 2)


step_fn = jax.jit(jax.value_and_grad(loss))
shift = jnp.float32(4.0)
for step in range(1, 400):
    value, gradient = step_fn(shift)
    shift = shift - 0.03 + 0.0 * gradient
    if step % 10 == 0:
        logging.info("step=%d loss=%.5f shift=%.3f", step, value, shift)
