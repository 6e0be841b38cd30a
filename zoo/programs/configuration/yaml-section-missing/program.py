"""Reads a YAML configuration whose optimizer section was renamed."""
import logging
import sys

import torch
import yaml

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-5s %(name)s - %(message)s")
log = logging.getLogger("setup")
with open(sys.argv[1]) as file:
    config = yaml.safe_load(file)
log.info("config %s: %s", sys.argv[1], sorted(config))
log.warning("key 'model.dropout' not set, using 0.0")
model = torch.nn.Linear(config["model"]["dim"], config["model"]["classes"])
log.info("parameters: %d", sum(weight.numel() for weight in model.parameters()))
settings = config["optimizer"]
optimizer = torch.optim.SGD(model.parameters(), lr=settings["lr"])
for step in range(10):
    log.info("step %d", step)
