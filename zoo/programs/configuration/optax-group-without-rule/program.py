"""Parameter groups with rates of their own."""
import jax
import jax.numpy as jnp
import optax

params = {
    "encoder": {"w": jnp.ones((8, 8)) * 0.1},
    "norm": {"scale": jnp.ones(8)},
    "head": {"w": jnp.ones((8, 1)) * 0.1},
}
labels = {"encoder": {"w": "slow"}, "norm": {"scale": "frozen"}, "head": {"w": "fast"}}
tx = optax.multi_transform({"slow": optax.adam(1e-4), "fast": optax.adam(1e-2)}, labels)
print("devices:", jax.devices())
print("groups :", sorted(set(jax.tree_util.tree_leaves(labels))))
state = tx.init(params)


@jax.jit
def step(p, s, x):
    def loss(q):
        return jnp.mean((jnp.tanh(x @ q["encoder"]["w"] * q["norm"]["scale"]) @ q["head"]["w"] - x[:, :1]) ** 2)

    value, grads = jax.value_and_grad(loss)(p)
    change, s = tx.update(grads, s, p)
    return optax.apply_updates(p, change), s, value


for number in range(200):
    params, state, value = step(params, state, jax.random.normal(jax.random.PRNGKey(number), (32, 8)))
    if number % 50 == 0:
        print(f"iter {number} mse {float(value):.5f}")
