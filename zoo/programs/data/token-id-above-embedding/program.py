"""Adds special tokens and forgets to grow the embedding."""
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s [%(module)s] %(message)s")
torch.manual_seed(0)
vocab = {f"w{index}": index for index in range(300)}
model = nn.Sequential(nn.Embedding(len(vocab), 24), nn.Linear(24, len(vocab)))
for token in ("<tool>", "</tool>"):
    vocab[token] = len(vocab)
logging.info("vocabulary has %d entries, embedding has %d rows", len(vocab), model[0].num_embeddings)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
stream = torch.randint(0, 300, (20_000,))
stream[9_100] = vocab["<tool>"]
for step in range(1, 200):
    ids = stream[(step - 1) * 100 : step * 100]
    loss = nn.functional.cross_entropy(model(ids[:-1]), ids[1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        logging.info("step %d loss %.4f", step, loss.item())
