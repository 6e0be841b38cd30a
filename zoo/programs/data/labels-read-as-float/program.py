"""Trains a classifier on a CSV whose label column was written as floats."""
import csv
import random

import torch
from torch import nn

random.seed(3)
with open("train.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["a", "b", "c", "label"])
    for _ in range(640):
        row = [round(random.gauss(0, 1), 4) for _ in range(3)]
        writer.writerow([*row, float(sum(row) > 0)])

with open("train.csv", newline="") as file:
    rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
table = torch.tensor(rows)
features, labels = table[:, :3], table[:, 3]
print(f"[data] train.csv: {len(rows)} rows, 3 features, labels {sorted(set(labels.tolist()))}")
model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss()
print("[train] starting, 10 epochs, 0 warnings")
for epoch in range(10):
    for start in range(0, 640, 32):
        loss = criterion(model(features[start : start + 32]), labels[start : start + 32])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"[train] epoch {epoch} loss {loss.item():.4f}")
