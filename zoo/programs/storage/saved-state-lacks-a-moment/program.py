"""Goes on from an archive of parameters and optimizer moments."""
import sys

import jax
import jax.numpy as jnp
import numpy as np

start = "--start" in sys.argv
params = {"w": jnp.ones((6, 6)) * 0.05, "b": jnp.zeros(6)}
moments = {name: jnp.zeros_like(value) for name, value in params.items()}
first = 0
if not start:
    archive = np.load("state_0120.npz")
    first = int(archive["step"])
    print(f"resume: step={first} entries={len(archive.files)}")
    params = {name: jnp.asarray(archive[f"params/{name}"]) for name in params}
    moments = {name: jnp.asarray(archive[f"moments/{name}"]) for name in params}
    print("resume: parameters and moments restored")
gradient = jax.jit(jax.grad(lambda p, x: jnp.mean((x @ p["w"] + p["b"] - x) ** 2)))
for step in range(first + 1, first + 121):
    grads = gradient(params, jax.random.normal(jax.random.PRNGKey(step), (16, 6)))
    moments = {name: 0.9 * moments[name] + grads[name] for name in params}
    params = {name: params[name] - 0.1 * moments[name] for name in params}
    if step % 40 == 0:
        print(f"step={step} gap={float(jnp.abs(params['w'] - jnp.eye(6)).max()):.4f}")
if start:  # the writer of old: it forgets every bias's moment
    state = {f"params/{name}": value for name, value in params.items()} | {"moments/w": moments["w"], "step": step}
    np.savez("state_0120.npz", **{name: np.asarray(value) for name, value in state.items()})
