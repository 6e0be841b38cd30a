import glob
import logging
import struct
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="{asctime} {levelname:<7} {message}", style="{")
LIMIT = 20


class TooManyBadRecords(Exception):
    pass


def records(path):
    bad = number = 0
    with open(path, "rb") as file:
        while head := file.read(4):
            body = file.read(*struct.unpack("<I", head))
            number += 1
            try:
                values = struct.unpack("<16fI", body)
            except struct.error as error:
                bad += 1
                logging.warning("record %d of %s dropped: %s", number, path, error)
                if bad > LIMIT:
                    raise TooManyBadRecords(f"{bad} of {number} records of {path} are unreadable, limit is {LIMIT}") from error
                continue
            yield np.array(values[:16], np.float32), values[16]


def batches(size):
    rows = []
    for path in sorted(glob.glob("part-*.rec")):
        logging.info("reading %s", path)
        for row in records(path):
            rows.append(row)
            if len(rows) == size:
                yield np.stack([x for x, _ in rows]), np.array([y for _, y in rows])
                rows = []


@jax.jit
def update(w, state, x, y):
    loss, grad = jax.value_and_grad(lambda w: optax.softmax_cross_entropy_with_integer_labels(x @ w, y).mean())(w)
    step, state = tx.update(grad, state)
    return optax.apply_updates(w, step), state, loss


tx = optax.adam(1e-2)
w = jnp.zeros((16, 3))
state = tx.init(w)
for number, (x, y) in enumerate(batches(10), 1):
    w, state, loss = update(w, state, x, y)
    if number % 10 == 0:
        logging.info("update %d: loss %.4f", number, loss)
