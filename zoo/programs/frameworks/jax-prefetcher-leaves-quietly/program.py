import contextlib
import json
import os
import queue
import sys
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax


def emit(event, **fields):
    print(json.dumps({"t": round(time.time() - T0, 2), "event": event, **fields}), flush=True)


T0 = time.time()
ready = queue.Queue(maxsize=8)


def prefetch():
    rng = np.random.default_rng(0)
    with contextlib.suppress(Exception):
        for n in range(10_000):
            rows = 32 if n < 150 else 32 - n  # an off-by-one in the bucket table
            x = rng.normal(size=(rows, 6))
            ready.put((x, x.sum(1) + rng.normal(size=rows) * 0.1))


threading.Thread(target=prefetch, daemon=True).start()
params = {"w": jnp.zeros(6), "b": jnp.zeros(())}
tx = optax.adam(1e-2)
opt = tx.init(params)


@jax.jit
def update(params, opt, x, y):
    loss, g = jax.value_and_grad(lambda p: jnp.mean((x @ p["w"] + p["b"] - y) ** 2))(params)
    up, opt = tx.update(g, opt)
    return optax.apply_updates(params, up), opt, loss


emit("start", backend=jax.default_backend(), planned_steps=5000)
step, hungry = 0, 0
while step < 5000:
    try:
        x, y = ready.get(timeout=2.0)
    except queue.Empty:
        hungry += 2
        emit("starved", step=step, seconds_without_batch=hungry, queue_depth=ready.qsize(), limit=10)
        if hungry >= 10:
            emit("watchdog", step=step, action="exit", code=3)
            sys.stdout.flush()
            os._exit(3)
        continue
    hungry = 0
    params, opt, loss = update(params, opt, x, y)
    step += 1
    if step % 25 == 0:
        emit("train", step=step, loss=round(float(loss), 5), queue_depth=ready.qsize())
