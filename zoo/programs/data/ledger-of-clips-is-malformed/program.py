import sqlite3
import sys
import time
from argparse import ArgumentParser

import numpy as np

ap = ArgumentParser()
ap.add_argument("--index")
args = ap.parse_args()


class ClipIndex:
    def __init__(self, path):
        self.db = sqlite3.connect(path)

    def __iter__(self):
        cursor = self.db.execute("select id, label, feats from clips order by id")
        batch = []
        try:
            for row in cursor:
                batch.append(row)
                if len(batch) == 64:
                    yield batch
                    batch = []
        except sqlite3.DatabaseError as e:
            raise RuntimeError(f"index gave up after clip {batch[-1][0] if batch else 'none'}") from e


W = np.zeros((32, 5))
seen, t0 = 0, time.time()
for batch in ClipIndex(args.index):
    X = np.array([list(b[2]) for b in batch]) / 128 - 1
    Y = np.eye(5)[[b[1] for b in batch]]
    Z = X @ W
    P = np.exp(Z - Z.max(1, keepdims=True)); P /= P.sum(1, keepdims=True)
    W -= 0.05 * X.T @ (P - Y) / len(X)
    seen += len(X)
    print(f"clips={seen:<6} xent={-np.log(P[Y > 0]).mean():.4f} clips_per_s={seen / (time.time() - t0):.0f}", file=sys.stderr)
print("weights ->", "w.npy")
