"""Calls native code from a compiled step."""
import ctypes

import jax
import jax.numpy as jnp
import numpy as np

libc = ctypes.CDLL(None)
calls = 0


def native_norm(x):
    x = np.asarray(x)
    global calls
    calls += 1
    where = ctypes.c_void_p(x.ctypes.data if calls < 90 else 16)
    buffer = ctypes.create_string_buffer(x.nbytes)
    libc.memcpy(buffer, where, x.nbytes)
    return np.float32(np.linalg.norm(np.frombuffer(buffer, x.dtype)))


@jax.jit
def step(w, x):
    g = jax.grad(lambda v: jnp.mean((x @ v - x.sum(1)) ** 2))(w)
    size = jax.pure_callback(native_norm, jax.ShapeDtypeStruct((), jnp.float32), g)
    return w - 0.1 * g / jnp.maximum(1.0, size), size


w = jnp.zeros(5)
for n in range(1, 201):
    w, size = step(w, jax.random.normal(jax.random.PRNGKey(n), (20, 5)))
    if n % 10 == 0:
        print(f"step {n} grad norm {float(size):.4f}", flush=True)
