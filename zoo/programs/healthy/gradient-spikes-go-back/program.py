import numpy as np

rng = np.random.default_rng(6)
x = rng.normal(size=(4000, 16))
y = x @ rng.normal(size=16) + rng.normal(size=4000) * 0.2
w = np.zeros(16)
for step in range(1, 601):
    rows = rng.integers(0, 4000, 64)
    batch, target = x[rows], y[rows].copy()
    if step in (140, 141, 400):
        target[:8] += 400  # a few damaged labels, clipped below
    grad = 2 * batch.T @ (batch @ w - target) / 64
    norm = np.linalg.norm(grad)
    w -= 0.02 * grad * min(1.0, 2.0 / norm)
    if step % 5 == 0 or step in (141,):
        print(f"step {step} loss {np.mean((batch @ w - target) ** 2):.4f} grad_norm {norm:.3f}", flush=True)
print("done training, 600 steps")
