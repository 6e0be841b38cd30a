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

train(300)
table = [[0, 0], [0, 0]]
for _ in range(400):
    x = random.uniform(-1, 1)
    table[3 * x > 0][w * x > 0] += 1
print("confusion matrix on the held-out set")
for row in table:
    print("  ".join(f"{n:4d}" for n in row))
