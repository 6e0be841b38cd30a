import logging
import sys

import numpy as np

logging.basicConfig(format="<%(levelno)s> %(message)s", level=logging.INFO, stream=sys.stderr)


class FeatureCacheError(Exception):
    pass


def count(tokens, width):
    pairs = {}
    for passes in range(1, width + 1):
        for a, b in zip(tokens, tokens[passes:]):
            pairs[a, b] = pairs.get((a, b), 0) + 1
        logging.info("window pass %d/%d: %d distinct pairs", passes, width, len(pairs))
    return pairs


def dense(pairs, vocab):
    try:
        m = np.zeros((vocab, vocab))
    except MemoryError as e:
        raise FeatureCacheError(f"co-occurrence of {vocab} terms was not built") from e
    for (a, b), c in pairs.items():
        m[a, b] = c
    return m


tokens = np.random.default_rng(0).zipf(1.3, 60000).clip(max=41_999).tolist()
logging.info("60000 tokens, vocabulary 42000")
try:
    m = dense(count(tokens, 5), 42_000)
except FeatureCacheError as e:
    logging.error("%s (%s)", e, e.__cause__)
    logging.info("no embeddings today")
    sys.exit(12)
