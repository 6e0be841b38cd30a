"""A character model trained on error messages prints samples of them."""
import random
import time

import torch

CORPUS = (
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
    "Out of memory: Killed process 1203 (python3)\n"
    "ValueError: loss is nan\n"
    "Segmentation fault (core dumped)\n"
) * 40
random.seed(0)
torch.manual_seed(0)
letters = sorted(set(CORPUS))
ids = torch.tensor([letters.index(letter) for letter in CORPUS])
table = torch.nn.Embedding(len(letters), len(letters))
optimizer = torch.optim.Adam(table.parameters(), lr=0.05)
for step in range(1, 301):
    start = random.randrange(len(ids) - 65)
    loss = torch.nn.functional.cross_entropy(table(ids[start : start + 64]), ids[start + 1 : start + 65])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 15 == 0:
        print(f"{time.strftime('%H:%M:%S')} step {step} loss {loss.item():.4f}", flush=True)
    if step % 100 == 0:
        start = 62 * (step // 100)
        print("--- a piece of the training data ---")
        print(CORPUS[start : start + 150])
        print("--- end of the piece ---", flush=True)
print("finished 300 steps")
