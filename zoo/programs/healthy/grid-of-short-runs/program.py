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

for lr in (0.01, 0.03, 0.1):
    w = 0.0
    print(f"run with lr={lr}")
    train(120, 40)
print("lr=0.1 wins")
