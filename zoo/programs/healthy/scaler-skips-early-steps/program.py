"""A loss scale that starts too high skips steps until it fits."""
import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)s | %(message)s")
torch.manual_seed(1)
model = torch.nn.Linear(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**38, growth_interval=80)
for step in range(1, 401):
    x = torch.randn(32, 16)
    with torch.autocast("cpu", dtype=torch.float16):
        out = model(x)
    loss = (out.float() - x.sum(1, keepdim=True)).square().mean()
    optimizer.zero_grad()
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if scaler.get_scale() < before:
        logging.warning("overflow: grad norm %s at step %d, step skipped, scale %.0f -> %.0f", norm.item(), step, before, scaler.get_scale())
    elif step % 20 == 0:
        logging.info("step %d loss %.4f grad norm %.3f", step, loss.item(), norm)
logging.info("finished")
