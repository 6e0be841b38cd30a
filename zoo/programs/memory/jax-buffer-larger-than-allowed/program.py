import jax
import jax.numpy as jnp

params = jnp.zeros((64, 64))


@jax.jit
def train(p, x):
    return p - 0.01 * jax.grad(lambda q: jnp.mean((x @ q - x) ** 2))(p)


for step in range(1, 51):
    x = jax.random.normal(jax.random.key(step), (256, 64))
    params = train(params, x)
    if step % 10 == 0:
        print(f"step={step:03d} residual={float(jnp.mean((x @ params - x) ** 2)):.5f}", flush=True)
print("computing the influence matrix over the training set", flush=True)
rows = jax.random.normal(jax.random.key(0), (90_000, 64))
influence = jax.jit(lambda r: r @ r.T)(rows).block_until_ready()
print("influence", influence.shape)
