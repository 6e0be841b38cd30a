import json

import torch

print("resuming from trainer_state.json")
state = json.load(open("out/trainer_state.json"))
print("at step", state["global_step"])
