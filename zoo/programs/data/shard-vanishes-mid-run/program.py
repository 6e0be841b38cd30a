import os
import numpy as np
os.makedirs("data")
for n in range(5):
    np.save(f"data/part-{n}.npy", np.ones(4))
os.remove("data/part-3.npy")
for step in range(1, 51):
    part = np.load(f"data/part-{(step - 1) // 10}.npy")
    if step % 5 == 0:
        print(f"step {step} loss {part.sum() / step:.4f}", flush=True)
