import sys

import torch

print("steps", sys.argv[1], torch.__version__)
