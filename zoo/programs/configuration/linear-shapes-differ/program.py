"""Two layers that do not fit together."""
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")


class Tagger(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.embed = nn.Embedding(500, 64)
        self.encode = nn.GRU(64, hidden, bidirectional=True, batch_first=True)
        self.head = nn.Linear(hidden, 9)

    def forward(self, ids):
        states, _ = self.encode(self.embed(ids))
        return self.head(states)


torch.manual_seed(0)
model = Tagger()
logging.info("parameters %d; check_nan=True max_errors=0", sum(weight.numel() for weight in model.parameters()))
for step in range(1, 100):
    scores = model(torch.randint(0, 500, (8, 20)))
    logging.info("step %d score %.3f", step, scores.mean().item())
