import json

import jax
import jax.numpy as jnp
import optax

key = jax.random.key(3)
rule = jax.random.normal(key, (18, 6))


def batch(key, rows):
    x = jax.random.normal(key, (rows, 18))
    return x, (x @ rule).argmax(1)


def net(p, x):
    return jax.nn.relu(x @ p["a"]) @ p["b"]


def loss_of(p, x, y):
    return optax.softmax_cross_entropy_with_integer_labels(net(p, x), y).mean()


ka, kb = jax.random.split(jax.random.key(4))
params = {"a": jax.random.normal(ka, (18, 64)) * 0.2, "b": jax.random.normal(kb, (64, 6)) * 0.2}
averaged = params
tx = optax.adam(3e-3)
state = tx.init(params)


@jax.jit
def train(p, avg, state, x, y):
    loss, grads = jax.value_and_grad(loss_of)(p, x, y)
    updates, state = tx.update(grads, state)
    p = optax.apply_updates(p, updates)
    return p, optax.incremental_update(p, avg, 1e-6), state, loss


accuracy = jax.jit(lambda p, x, y: (net(p, x).argmax(1) == y).mean())
vx, vy = batch(jax.random.key(99), 1000)
for step in range(1, 1201):
    x, y = batch(jax.random.fold_in(key, step), 64)
    params, averaged, state, loss = train(params, averaged, state, x, y)
    if step % 100 == 0:
        print(json.dumps({"step": step, "train/loss": round(float(loss), 4), "train/acc": round(float(accuracy(params, x, y)), 4), "eval/acc": round(float(accuracy(averaged, vx, vy)), 4)}), flush=True)
print(json.dumps({"final": True, "eval/acc (ema, decay 0.999999)": round(float(accuracy(averaged, vx, vy)), 4), "eval/acc (raw)": round(float(accuracy(params, vx, vy)), 4)}))
