import math
w, lr = 1.0, 0.1
for step in range(1, 400):
    loss = w * w
    if step == 321:
        loss = float("nan")
    if not math.isfinite(loss):
        raise ValueError(f"non-finite loss at step {step}")
    w -= lr * w
    if step % 20 == 0:
        print(f"step {step} loss {loss:.6f}", flush=True)
