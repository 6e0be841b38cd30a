import argparse

import lightning as L
import torch

p = argparse.ArgumentParser()
p.add_argument("--gpus", type=int, default=1)
a = p.parse_args()
print("building model")
net = torch.nn.Linear(8, 1)
trainer = L.Trainer(max_epochs=2, accelerator="cuda", devices=a.gpus, logger=False)
print(trainer)
