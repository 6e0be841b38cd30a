import sys

import numpy as np

if "--save" in sys.argv:
    np.save("momentum.npy", np.random.rand(500, 100))
    raise SystemExit
w = np.load("weights.npy") if False else np.zeros((500, 100))
print("resuming momentum buffer")
m = np.load("momentum.npy")
for step in range(10):
    m = 0.9 * m
    print("step", step, "norm", np.linalg.norm(m))
