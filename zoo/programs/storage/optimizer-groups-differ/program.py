import sys

import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(16, 16), nn.Linear(16, 2)
if "--first" in sys.argv:
    opt = torch.optim.AdamW([*body.parameters(), *head.parameters()])
    torch.save({"opt": opt.state_dict(), "body": body.state_dict(), "head": head.state_dict()}, "ck.pt")
    raise SystemExit
decay = [p for p in [*body.parameters(), *head.parameters()] if p.ndim > 1]
rest = [p for p in [*body.parameters(), *head.parameters()] if p.ndim == 1]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}])
ck = torch.load("ck.pt")
body.load_state_dict(ck["body"])
head.load_state_dict(ck["head"])
print("INFO: weights restored")
opt.load_state_dict(ck["opt"])
print("INFO: optimizer restored")
