import jax
import jax.numpy as jnp

print("jax", jax.__version__)
w = jnp.zeros(4)
grad = jax.jit(jax.grad(lambda w, x: jnp.mean((x @ w - 1.0) ** 2)))
for step in range(20):
    w = w - 0.1 * grad(w, jnp.ones((8, 4)))
    print("step", step)
