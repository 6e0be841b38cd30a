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

train(400)
hits = sum(abs(w * x - 3 * x) < 0.5 for x in (random.uniform(-1, 1) for _ in range(1000)))
print(f"test accuracy {hits / 1000:.3f} ({hits}/1000)")
