"""Token classifier on sequences that were supposed to be cut to one length."""
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("intent")


class Utterances(Dataset):
    def __init__(self, count, length):
        generator = torch.Generator().manual_seed(5)
        self.rows = [torch.randint(1, 200, (length,), generator=generator) for _ in range(count)]
        self.rows[1307] = torch.cat([self.rows[1307], torch.tensor([2])])

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        ids = self.rows[index]
        return {"input_ids": ids, "label": ids[0] % 4}


torch.manual_seed(0)
data = Utterances(2000, 24)
log.info("loaded %d utterances, max_length=24, truncation on, error_policy=raise", len(data))
model = nn.Sequential(nn.EmbeddingBag(200, 32), nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
step = 0
for epoch in range(2):
    for batch in DataLoader(data, batch_size=16):
        loss = nn.functional.cross_entropy(model(batch["input_ids"]), batch["label"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 10 == 0:
            log.info("epoch %d step %d loss %.4f", epoch, step, loss.item())
