import argparse

import jax
import jax.numpy as jnp

parser = argparse.ArgumentParser()
parser.add_argument("--coordinator", required=True)
parser.add_argument("--process", type=int, required=True)
parser.add_argument("--of", type=int, required=True)
args = parser.parse_args()
print(f"process {args.process} of {args.of}, coordinator {args.coordinator}", flush=True)
jax.distributed.initialize(args.coordinator, args.of, args.process, initialization_timeout=10)
print(f"{jax.process_count()} processes, {jax.device_count()} devices", flush=True)
w = jnp.zeros(8)
for step in range(100):
    x = jax.random.normal(jax.random.key(step), (16, 8))
    w = w - 0.1 * jax.grad(lambda w, x=x: jnp.mean((x @ w - x.sum(1)) ** 2))(w)
    if step % 10 == 0:
        print("step", step, float(jnp.abs(w - 1).max()), flush=True)
