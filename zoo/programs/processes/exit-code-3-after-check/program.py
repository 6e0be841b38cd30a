import logging
import sys

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)-8s %(name)s %(message)s", stream=sys.stdout)
log = logging.getLogger("nightly")
torch.manual_seed(0)
net = nn.Linear(16, 2)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(3):
    for _ in range(40):
        loss = nn.functional.cross_entropy(net(torch.randn(32, 16)), torch.randint(0, 2, (32,)))
        opt.zero_grad()
        loss.backward()
        opt.step()
    log.info("epoch %d done, loss %.4f", epoch, loss.item())
required = {"gold_eval.jsonl", "label_map.json"}
have = {"label_map.json"}
log.warning("metrics server did not answer (error 503), metrics kept locally")
if required - have:
    log.critical("required evaluation inputs are missing: %s; refusing to publish", sorted(required - have))
    sys.exit(3)
