"""Moves its model to a GPU that this PyTorch build cannot use."""
import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(levelname)s] %(name)s: %(message)s")
log = logging.getLogger("trainer")
log.info("torch %s, cuda version %s, device requested: cuda:0", torch.__version__, torch.version.cuda)
model = torch.nn.TransformerEncoderLayer(32, 4, batch_first=True)
log.info("model has %d parameters", sum(weight.numel() for weight in model.parameters()))
model = model.to("cuda:0")
for step in range(10):
    log.info("step %d", step)
