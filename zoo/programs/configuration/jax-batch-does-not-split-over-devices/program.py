import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--steps", type=int, default=200)
args = parser.parse_args()

mesh = Mesh(np.array(jax.devices()), ("data",))
print(f"devices: {jax.device_count()} ({jax.devices()[0].platform}), mesh {dict(mesh.shape)}", flush=True)
params = {"w": jnp.zeros((20, 5)), "b": jnp.zeros(5)}
tx = optax.adamw(1e-3)
state = tx.init(params)
split = NamedSharding(mesh, PartitionSpec("data"))


@jax.jit
def update(params, state, x, y):
    def loss_fn(p):
        return optax.softmax_cross_entropy_with_integer_labels(x @ p["w"] + p["b"], y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


rng = np.random.default_rng(0)
for step in range(args.steps):
    x = rng.normal(size=(args.batch_size, 20)).astype(np.float32)
    y = rng.integers(0, 5, args.batch_size)
    x, y = jax.device_put(x, split), jax.device_put(y, split)
    params, state, loss = update(params, state, x, y)
    if step % 20 == 0:
        print(f"step={step} loss={loss:.4f}", flush=True)
