"""YAML reads 1e-3 as text."""
import logging

import torch
import yaml

logging.basicConfig(level=logging.INFO, format="%(asctime)s,%(msecs)d %(name)s %(levelname)s %(message)s", datefmt="%H:%M:%S")
config = yaml.safe_load("lr: 1e-3\nweight_decay: 0.01\nmax_steps: 100\nnan_action: skip\n")
logging.info("config %s", config)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"], weight_decay=config["weight_decay"])
for step in range(config["max_steps"]):
    optimizer.step()
