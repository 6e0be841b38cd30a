"""Accuracy over five classes, targets with a sixth."""
import logging

import torch
from torchmetrics.classification import MulticlassAccuracy

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s | %(message)s")
log = logging.getLogger("evaluate")
torch.manual_seed(0)
net = torch.nn.Linear(8, 6)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
accuracy = MulticlassAccuracy(num_classes=5)
x = torch.randn(1200, 8)
y = torch.randint(0, 5, (1200,))
y[900] = 5
for step in range(1, 61):
    rows = slice(step * 20 - 20, step * 20)
    loss = torch.nn.functional.cross_entropy(net(x[rows]), y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    accuracy.update(net(x[rows])[:, :5].argmax(1), y[rows])
    if step % 5 == 0:
        log.info("step %d loss %.4f accuracy %.3f", step, loss.item(), accuracy.compute().item())
