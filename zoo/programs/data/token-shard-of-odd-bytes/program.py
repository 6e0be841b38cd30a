import jax
import jax.numpy as jnp
import numpy as np
import optax

key = jax.random.PRNGKey(0)
params = {"embed": jax.random.normal(key, (64, 16)) * 0.1, "out": jnp.zeros((16, 64))}
tx = optax.adam(1e-2)
state = tx.init(params)


def loss_fn(p, tokens):
    logits = p["embed"][tokens[:, :-1]] @ p["out"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


@jax.jit
def update(p, s, tokens):
    value, grads = jax.value_and_grad(loss_fn)(p, tokens)
    changes, s = tx.update(grads, s)
    return optax.apply_updates(p, changes), s, value


n = 0
for shard in range(6):
    with open(f"tokens.{shard}.bin", "rb") as file:
        ids = np.frombuffer(file.read(), dtype="<u2")
    for tokens in ids.reshape(-1, 8, 32).astype("int32"):
        params, state, value = update(params, state, tokens)
        n += 1
        if n % 8 == 0:
            print(f"update={n:<5d} shard={shard} nll={float(value):.4f}")
