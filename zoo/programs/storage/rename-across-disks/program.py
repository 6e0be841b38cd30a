"""Writes a checkpoint to a fast disk and moves it to its place."""
import os

import torch

os.makedirs("checkpoints", exist_ok=True)
torch.manual_seed(9)
gru = torch.nn.GRU(4, 12, batch_first=True)
read = torch.nn.Linear(12, 4)
weights = [*gru.parameters(), *read.parameters()]
opt = torch.optim.RMSprop(weights, lr=2e-3)
for it in range(1, 301):
    seq = torch.randn(16, 9, 4).cumsum(1)
    loss = torch.nn.functional.smooth_l1_loss(read(gru(seq[:, :-1])[0]), seq[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 25 == 0:
        print(f"iter {it} | huber {loss.item():.4f}")
    if it % 100 == 0:
        torch.save({"gru": gru.state_dict(), "read": read.state_dict(), "it": it}, "scratch/new.pt")
        print(f"moving checkpoint of iteration {it} into place")
        os.rename("scratch/new.pt", f"checkpoints/{it:06d}.pt")
