import logging
import os

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname).1s%(asctime)s %(process)d %(filename)s:%(lineno)d] %(message)s", datefmt="%m%d %H:%M:%S")
log = logging.getLogger(__name__)
os.environ.setdefault("RUN_DIR", "runs/2024-11-02")
path = os.path.join(os.environ["RUN_DIR"], "checkpoint-1500", "pytorch_model.bin")
log.info("no lockfile found: /home/ml/project/.lock (file does not exist), taking over")
log.info("resuming from %s", path)
weights = torch.load(path)
net = nn.Linear(4, 4)
net.load_state_dict(weights)
