"""A Python if inside a compiled function."""
import time

import jax
import jax.numpy as jnp

params = jnp.zeros(5)
x = jax.random.normal(jax.random.key(1), (128, 5))
y = x @ jnp.arange(5.0)


def update(params, clip):
    gradient = jax.grad(lambda p: jnp.mean((x @ p - y) ** 2))(params)
    if clip and jnp.linalg.norm(gradient) > 1.0:
        gradient = gradient / jnp.linalg.norm(gradient)
    return params - 0.1 * gradient


for step in range(1, 21):
    params = update(params, clip=step > 10)
    print(time.strftime("%H:%M:%S"), f"step {step} eager norm {jnp.linalg.norm(params):.3f}", flush=True)
print("compiling", flush=True)
fast = jax.jit(update, static_argnames="clip")
for step in range(21, 100):
    params = fast(params, clip=True)
    print(time.strftime("%H:%M:%S"), f"step {step} norm {jnp.linalg.norm(params):.3f}", flush=True)
