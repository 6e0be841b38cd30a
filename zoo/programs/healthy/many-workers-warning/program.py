"""More loader workers than the machine likes, tqdm bars, a slow first batch."""
import warnings

import torch
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

torch.manual_seed(0)
x = torch.randn(1280, 6)
model = torch.nn.Linear(6, 3)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
warnings.warn("lr_scheduler.step() was not called, learning rate stays constant; this is not an error")
for epoch in range(3):
    bar = tqdm(DataLoader(TensorDataset(x, x[:, :3].argmax(1)), batch_size=64, shuffle=True, num_workers=4), desc=f"Epoch {epoch}")
    wrong = 0
    for features, labels in bar:
        scores = model(features)
        loss = torch.nn.functional.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        wrong += int((scores.argmax(1) != labels).sum())
        bar.set_postfix(loss=f"{loss.item():.3f}", errors=wrong, nan=0)
    print(f"epoch {epoch}: error rate {wrong / 1280:.3f}", flush=True)
