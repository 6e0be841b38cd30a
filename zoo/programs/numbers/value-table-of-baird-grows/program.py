import csv

import numpy as np

rng = np.random.default_rng(1)
features = np.zeros((7, 8))
for state in range(6):
    features[state, state], features[state, 7] = 2, 1
features[6, 6], features[6, 7] = 1, 2
w = np.ones(8)
w[6] = 10
out = csv.writer(open("metrics.csv", "w"))
out.writerow(["update", "td_loss", "value_norm"])
gamma, rate, losses, state = 0.99, 0.01, [], 0
print("off-policy TD(0), gamma=0.99, alpha=0.01, behaviour=uniform, target=solid")
for update in range(1, 6001):
    solid = rng.random() < 1 / 7
    after = 6 if solid else int(rng.integers(0, 6))
    rho = 7.0 if solid else 0.0
    delta = gamma * features[after] @ w - features[state] @ w
    w += rate * rho * delta * features[state]
    losses.append(delta**2)
    state = after
    if update % 200 == 0:
        row = np.mean(losses[-200:]), np.linalg.norm(features @ w)
        out.writerow([update, f"{row[0]:.6g}", f"{row[1]:.6g}"])
        print(f"update {update:5d}   td_loss {row[0]:12.4e}   |V| {row[1]:12.4e}")
print("saved value.npy")
