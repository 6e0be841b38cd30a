import logging
import sys

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="[%(levelname).1s %(asctime)s %(filename)s:%(lineno)d] %(message)s", datefmt="%H:%M:%S")
torch.manual_seed(1)
torch.set_num_threads(1)
query, head = nn.Linear(16, 16), nn.Linear(16, 2)
opt = torch.optim.Adam([*query.parameters(), *head.parameters()], 1e-3)
lengths = [310, 520, 410, 890, 640, 1220, 700, 980, 1510, 760, 60200, 450]
for step, length in enumerate(lengths, 1):
    try:
        x = torch.randn(length, 16)
        weights = (query(x) @ x.T).softmax(1)
        loss = nn.functional.cross_entropy(head((weights @ x).mean(0, keepdim=True)), torch.tensor([step % 2]))
        opt.zero_grad()
        loss.backward()
        opt.step()
    except RuntimeError as error:
        logging.error("step %d failed on a document of %d tokens: %s", step, length, error)
        logging.info("closing the writers")
        sys.exit(70)
    logging.info("step %d tokens %d loss %.4f", step, length, loss.item())
