"""Streams a JSONL corpus and trains a bag-of-bytes model on it."""
import json
import logging
import random

import torch

logging.basicConfig(level=logging.INFO, format="[%(asctime)s][%(name)s][%(levelname)s] - %(message)s")
log = logging.getLogger("__main__")

random.seed(8)
words = "loss error nan killed train the a model data failed step of to".split()
with open("corpus.jsonl", "w") as file:
    for index in range(3000):
        line = json.dumps({"id": index, "text": " ".join(random.choices(words, k=12)), "score": round(random.random(), 3)})
        file.write((line[:48] if index == 2113 else line) + "\n")


def batches(path, size):
    rows = []
    with open(path) as file:
        for line in file:
            rows.append(json.loads(line))
            if len(rows) == size:
                yield rows
                rows = []


model = torch.nn.Linear(256, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
log.info("corpus.jsonl: 3000 records, no error expected")
for step, rows in enumerate(batches("corpus.jsonl", 20), 1):
    x = torch.zeros(len(rows), 256)
    for index, row in enumerate(rows):
        for byte in row["text"].encode():
            x[index, byte] += 0.1
    target = torch.tensor([[row["score"]] for row in rows])
    loss = (model(x) - target).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 15 == 0:
        log.info("step %d | mse %.4f | first text: %s", step, loss.item(), rows[0]["text"])
log.info("done")
