"""OneCycle schedule with fewer steps than the loop makes."""
import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)s | %(message)s")
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches, epochs = 53, 4
total = (840 // 16) * epochs
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=total)
logging.info("scheduler: one cycle over %d steps", total)
step = 0
for epoch in range(epochs):
    for batch in range(batches):
        loss = (model(torch.randn(16, 4)) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        step += 1
        if step % 16 == 0:
            logging.info("epoch %d step %d loss %.4f lr %.5f", epoch, step, loss.item(), schedule.get_last_lr()[0])
