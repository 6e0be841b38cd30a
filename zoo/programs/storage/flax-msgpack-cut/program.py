import sys

import jax.numpy as jnp
from flax import serialization

state = {"params": {"w": jnp.ones((128, 128)), "b": jnp.zeros(128)}}
if "--save" in sys.argv:
    open("state.msgpack", "wb").write(serialization.to_bytes(state))
    raise SystemExit
print("restoring state.msgpack")
state = serialization.from_bytes(state, open("state.msgpack", "rb").read())
print(state["params"]["w"].sum())
