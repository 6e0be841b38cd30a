"""Loads a checkpoint that was saved from a wrapped model."""
import logging
from collections import OrderedDict

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s:%(lineno)d %(message)s")
log = logging.getLogger("resume")


def build():
    return nn.Sequential(OrderedDict(encoder=nn.Linear(8, 16), act=nn.ReLU(), head=nn.Linear(16, 2)))


torch.manual_seed(0)
wrapped = nn.DataParallel(build())
torch.save({"model": wrapped.state_dict(), "step": 1200, "errors": 0}, "last.pt")
log.info("checkpoint last.pt at step 1200, 0 errors so far")
state = torch.load("last.pt")
model = build()
model.load_state_dict(state["model"])
log.info("resumed at step %d", state["step"])
