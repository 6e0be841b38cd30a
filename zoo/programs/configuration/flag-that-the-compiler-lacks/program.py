import sys

import jax
import jax.numpy as jnp
import optax

layers = int(sys.argv[2])
print("jax", jax.__version__, "layers", layers, flush=True)
key = jax.random.key(0)
weights = [jax.random.normal(k, (32, 32)) / 6 for k in jax.random.split(key, layers)]
tx = optax.sgd(0.05)
state = tx.init(weights)


@jax.jit
def loss_fn(weights, x):
    h = x
    for w in weights:
        h = jnp.tanh(h @ w)
    return jnp.mean((h - x) ** 2)


for step in range(200):
    key, sub = jax.random.split(key)
    loss, grads = jax.value_and_grad(loss_fn)(weights, jax.random.uniform(sub, (16, 32)))
    updates, state = tx.update(grads, state)
    weights = optax.apply_updates(weights, updates)
    if step % 20 == 0:
        print(f"step {step} loss {float(loss):.4f}", flush=True)
