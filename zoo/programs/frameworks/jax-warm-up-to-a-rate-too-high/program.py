import logging

import jax
import jax.numpy as jnp
import optax

logging.basicConfig(level=logging.INFO, format="I%(asctime)s.000000 %(process)d train.py:%(lineno)d] %(message)s", datefmt="%m%d %H:%M:%S")
log = logging.getLogger("train")
rate = optax.linear_schedule(1e-3, 2.0, 800)
rule = jax.random.normal(jax.random.key(0), (20,))
params = {"a": jax.random.normal(jax.random.key(1), (20, 64)) * 0.2, "b": jax.random.normal(jax.random.key(2), (64,)) * 0.1}
tx = optax.adam(rate)
state = tx.init(params)


def loss_of(p, x):
    return jnp.mean((jax.nn.relu(x @ p["a"]) @ p["b"] - jnp.sin(x @ rule)) ** 2)


@jax.jit
def train(p, state, x):
    loss, grads = jax.value_and_grad(loss_of)(p, x)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(p, updates), state, loss, optax.global_norm(grads)


for step in range(1, 1001):
    x = jax.random.normal(jax.random.fold_in(jax.random.key(7), step), (64, 20))
    params, state, loss, norm = train(params, state, x)
    if step % 20 == 0:
        log.info("[%d] training/loss=%.6g, training/grad_norm=%.5g, lr=%.4g", step, loss, norm, rate(step))
log.info("Finished training at step 1000.")
