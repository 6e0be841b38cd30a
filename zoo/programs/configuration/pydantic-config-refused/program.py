import json
from typing import Literal

import torch
from pydantic import BaseModel, ConfigDict, Field


class Optim(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: Literal["adamw", "sgd"] = "adamw"
    lr: float = Field(gt=0, le=1)


class TrainConfig(BaseModel):
    model_config = ConfigDict(extra="forbid")
    seed: int = 0
    hidden: int = Field(default=64, ge=8)
    optim: Optim


raw = json.load(open("run.json"))
print("loaded run.json:", ", ".join(sorted(raw)))
cfg = TrainConfig.model_validate(raw)
torch.manual_seed(cfg.seed)
model = torch.nn.Linear(cfg.hidden, 1)
print(sum(p.numel() for p in model.parameters()), "parameters")
