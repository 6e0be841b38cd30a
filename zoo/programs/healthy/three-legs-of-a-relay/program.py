import os
import sys
import time

import numpy as np

if os.path.exists("baton.npz"):
    z = np.load("baton.npz")
    w, upd = z["w"], int(z["upd"])
    print(f"baton taken over at upd {upd}")
else:
    w, upd = np.full(12, 3.0), 0
    print("no baton, from scratch")
stop = upd + 45
rng = np.random.default_rng(upd)
while upd < 120:
    g = 2 * w + rng.normal(size=12) * 0.1
    w = w - 0.02 * g
    upd += 1
    if upd % 5 == 0:
        print(f"upd {upd:4d}   f {np.square(w).sum():9.4f}   |g| {np.linalg.norm(g):8.4f}")
    time.sleep(0.01)
    if upd == stop:
        np.savez("baton.npz", w=w, upd=upd)
        print("time slice used up, baton saved; aborting this process on purpose", file=sys.stderr)
        sys.exit(75)
np.savez("final.npz", w=w)
print(f"f(w) = {np.square(w).sum():.4f}")
