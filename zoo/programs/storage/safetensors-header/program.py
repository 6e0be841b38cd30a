import logging

import torch
from safetensors.torch import load_file
from torch import nn

logging.basicConfig(level=logging.INFO, format="[%(levelname)s|%(module)s.py:%(lineno)d] %(asctime)s >> %(message)s")
logging.info("loading weights file weights/model.safetensors")
weights = load_file("weights/model.safetensors")
net = nn.Linear(10, 10)
net.load_state_dict(weights)
logging.info("All the weights of Linear were initialized from the checkpoint.")
