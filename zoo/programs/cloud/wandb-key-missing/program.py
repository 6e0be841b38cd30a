import argparse
import sys

import numpy as np
import wandb

p = argparse.ArgumentParser()
p.add_argument("--project", default="ablation")
a = p.parse_args()
print("numpy", np.__version__, "| project", a.project, file=sys.stderr)
run = wandb.init(project=a.project, config={"lr": 3e-4})
for step in range(100):
    run.log({"loss": 1 / (step + 1)})
run.finish()
