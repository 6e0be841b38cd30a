"""Attention with a width its heads do not divide."""
import json
import time

import torch

settings = {"width": 100, "heads": 8, "layers": 2, "dropout": 0.1, "init": "normal"}
print(time.strftime("%Y-%m-%d %H:%M:%S"), "INFO", json.dumps(settings), flush=True)
layers = [torch.nn.MultiheadAttention(settings["width"], settings["heads"], dropout=settings["dropout"]) for _ in range(settings["layers"])]
print(time.strftime("%Y-%m-%d %H:%M:%S"), "INFO", len(layers), "layers built")
