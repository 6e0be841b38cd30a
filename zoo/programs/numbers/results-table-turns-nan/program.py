import csv

import numpy as np

rng = np.random.default_rng(4)
boxes = rng.uniform(0.1, 0.9, size=(64, 4))
w = rng.normal(size=(6, 4)) * 0.1
x = np.c_[boxes + rng.normal(size=boxes.shape) * 0.02, np.ones((64, 2))]
with open("results.csv", "w", newline="") as file, np.errstate(all="ignore"):
    table = csv.writer(file)
    table.writerow(["epoch", "train/box_loss", "train/cls_loss", "metrics/mAP50(B)", "val/box_loss", "lr/pg0"])
    for epoch in range(1, 31):
        rate = 0.05 if epoch < 12 else 40.0
        for _ in range(40):
            error = x @ w - boxes
            w -= rate * x.T @ error / 64
        loss = float(np.mean((x @ w - boxes) ** 2))
        table.writerow([epoch, f"{loss:.5f}", f"{loss * 0.7:.5f}", f"{max(0.0, 1 - loss) if loss == loss else 0:.5f}", f"{loss * 1.1:.5f}", rate])
print("30 epochs written to results.csv")
