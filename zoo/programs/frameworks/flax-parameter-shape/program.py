"""Applies a Flax model to parameters of another width."""
import logging

import flax.linen as nn
import jax
import jax.numpy as jnp

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(message)s")


class Head(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(4)(nn.relu(nn.Dense(self.width)(x)))


x = jnp.ones((8, 12))
params = Head(32).init(jax.random.key(0), x)
logging.info("restored parameters of width 32, building model of width 40")
for step in range(5):
    logging.info("step %d %s", step, Head(40).apply(params, x).shape)
