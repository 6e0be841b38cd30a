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

import json, os
print("config: steps=300 on_error=raise max_failures=0")
train(300)
with open("model.json", "w") as file:
    json.dump({"w": w}, file)
print(f"weights written to model.json ({os.path.getsize('model.json')} bytes)")
