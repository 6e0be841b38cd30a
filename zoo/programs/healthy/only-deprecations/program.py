import random
random.seed(3)
w, lr = 0.0, 0.05
def train(steps, every=20, start=1, show=lambda s, l: print(f"step {s} loss {l:.4f}", flush=True)):
    global w
    for s in range(start, start + steps):
        x = random.uniform(-1, 1)
        loss = (w * x - 3 * x) ** 2 + random.uniform(0, 0.01)
        w -= lr * 2 * (w * x - 3 * x) * x
        if s % every == 0:
            show(s, loss)

import warnings
for what in ("torch.cuda.amp.GradScaler", "lr_scheduler.step() before optimizer.step()", "num_workers=0"):
    warnings.warn(f"{what} is deprecated and will raise an error in a future release", FutureWarning)
train(200)
print("Training complete. 0 errors, 0 retries.")
