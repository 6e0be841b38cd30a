import sys
import torch
if not torch.cuda.is_available():
    sys.exit("no GPU found: refusing to train on CPU (set ALLOW_CPU=1 to do it anyway)")
