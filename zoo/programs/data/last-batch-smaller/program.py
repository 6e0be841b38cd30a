import numpy as np
rng = np.random.default_rng(0)
data = rng.normal(size=(130, 4))
target = rng.normal(size=(16, 1))
w = np.zeros((4, 1))
for step, start in enumerate(range(0, 130, 16), 1):
    batch = data[start:start + 16]
    loss = ((batch @ w - target) ** 2).mean()
    print(f"step {step} loss {loss:.4f}", flush=True)
