import argparse
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
p = argparse.ArgumentParser()
p.add_argument("--init-from")
p.add_argument("--write")
cfg = p.parse_args()
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 512))
if cfg.write:
    torch.save(net.state_dict(), cfg.write)
    raise SystemExit
logging.info("config %s", cfg)
logging.warning("file %s is smaller than its manifest says (3000000 < 4203197), trying anyway", cfg.init_from)
net.load_state_dict(torch.load(cfg.init_from, weights_only=True))
logging.info("weights loaded")
