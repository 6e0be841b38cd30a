import numpy as np
np.seterr(over="raise", invalid="raise")
rng = np.random.default_rng(0)
w = rng.normal(size=(16, 4))
for step in range(1, 200):
    logits = rng.normal(size=(32, 16)) @ w
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    loss = -np.log(p[:, 0]).mean()
    if step % 2 == 0:
        print(f"step {step} loss {loss:.3f}", flush=True)
    w *= 1.6
