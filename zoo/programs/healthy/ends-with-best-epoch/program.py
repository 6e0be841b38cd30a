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

best = (9.0, 0)
for epoch in range(1, 13):
    train(30, every=1000)
    val = sum((w * x / 10 - 0.3 * x) ** 2 for x in range(10)) / 10
    print(f"epoch {epoch:2d}  train {val * 0.9:.5f}  val {val:.5f}")
    best = min(best, (val, epoch))
print(f"best epoch {best[1]}, val {best[0]:.5f}")
