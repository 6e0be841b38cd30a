import numpy as np

rng = np.random.default_rng(0)
x = rng.normal(size=(512, 20)) * np.linspace(0.2, 3.0, 20)
y = x @ rng.normal(size=20) + rng.normal(size=512) * 0.1
w, speed = np.zeros(20), np.zeros(20)
for step in range(1, 301):
    rate = 0.01 if step < 150 else 0.45  # the second stage of the schedule was meant to be 0.0045
    grad = 2 * x.T @ (x @ w - y) / len(y)
    speed = 0.9 * speed - rate * grad
    w = w + speed
    if step % 5 == 0 or 150 <= step < 175:
        print(f"{step:4d} | loss {np.mean((x @ w - y) ** 2):.4e} | gnorm {np.linalg.norm(grad):.4e} | lr {rate}", flush=True)
    if step == 180:
        break
