import logging
import sys

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(asctime)s %(funcName)s: %(message)s")
log = logging.getLogger("fraud")


def load():
    rng = np.random.default_rng(8)
    pays = pd.DataFrame({"merchant": rng.integers(0, 3, 60_000), "amount": rng.exponential(30, 60_000), "fraud": rng.random(60_000) < 0.02})
    visits = pd.DataFrame({"merchant": rng.integers(0, 3, 50_000), "hour": rng.integers(0, 24, 50_000)})
    log.info("%d payments, %d visits", len(pays), len(visits))
    return pays, visits


def features(pays, visits):
    table = pays.merge(visits, on="merchant", how="left")
    log.info("%d rows after the join", len(table))
    return table[["amount", "hour"]], table["fraud"]


def main():
    x, y = features(*load())
    model = LogisticRegression().fit(x, y)
    log.info("accuracy %.3f", model.score(x, y))


if __name__ == "__main__":
    try:
        main()
    except Exception:
        log.exception("pipeline failed")
        sys.exit(70)
