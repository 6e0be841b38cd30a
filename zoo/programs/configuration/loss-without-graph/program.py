"""Freezes everything, then trains."""
import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s: %(message)s", datefmt="%d-%b-%y %H:%M:%S")
torch.manual_seed(0)
backbone, head = torch.nn.Linear(8, 8), torch.nn.Linear(8, 2)
for name, weight in [*backbone.named_parameters(), *head.named_parameters()]:
    weight.requires_grad_(False)
    logging.info("frozen: %s", name)
logging.warning("0 trainable parameters")
optimizer = torch.optim.SGD([*head.parameters()], lr=0.1)
for step in range(1, 10):
    loss = torch.nn.functional.cross_entropy(head(backbone(torch.randn(4, 8))), torch.randint(0, 2, (4,)))
    loss.backward()
    optimizer.step()
    logging.info("step %d loss %.4f", step, loss.item())
