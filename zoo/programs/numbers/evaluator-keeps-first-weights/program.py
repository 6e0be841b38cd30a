import copy
import json
import logging
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn


class Json(logging.Formatter):
    def format(self, record):
        row = {"ts": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), "level": record.levelname, "msg": record.getMessage()}
        return json.dumps({**row, **getattr(record, "fields", {})})


handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(Json())
logging.basicConfig(level="INFO", handlers=[handler])
log = logging.getLogger("trainer")

torch.manual_seed(8)
w = torch.randn(12, 1)
x, vx = torch.randn(2000, 12), torch.randn(500, 12)
y, vy = (x @ w > 0).long().squeeze(1), (vx @ w > 0).long().squeeze(1)
model = nn.Sequential(nn.Linear(12, 32), nn.Tanh(), nn.Linear(32, 2))
served = copy.deepcopy(model)  # what the evaluator holds
opt = torch.optim.SGD(model.parameters(), 0.2)
log.info("start", extra={"fields": {"params": sum(p.numel() for p in model.parameters()), "device": "cpu"}})
step = 0
for epoch in range(10):
    for i in torch.randperm(2000).split(50):
        loss = F.cross_entropy(model(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        if step % 20 == 0:
            log.info("train", extra={"fields": {"step": step, "train_loss": round(loss.item(), 5), "lr": 0.2}})
    with torch.no_grad():
        out = served(vx)
        fields = {"step": step, "epoch": epoch, "val_loss": round(F.cross_entropy(out, vy).item(), 5), "val_accuracy": round((out.argmax(1) == vy).float().mean().item(), 4)}
    log.info("validation", extra={"fields": fields})
    time.sleep(0.01)
log.info("done")
