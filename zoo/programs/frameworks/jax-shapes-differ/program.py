"""Dense layers in plain JAX; the second does not fit the first."""
import jax
import jax.numpy as jnp


def init(key):
    first, second = jax.random.split(key)
    return {"w1": jax.random.normal(first, (32, 64)) * 0.1, "w2": jax.random.normal(second, (48, 10)) * 0.1}


@jax.jit
def loss(params, x, y):
    hidden = jnp.tanh(x @ params["w1"])
    logits = hidden @ params["w2"]
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(y)), y])


params = init(jax.random.key(0))
print({name: weight.shape for name, weight in params.items()}, flush=True)
for step in range(10):
    print(step, loss(params, jnp.ones((16, 32)), jnp.zeros(16, int)))
