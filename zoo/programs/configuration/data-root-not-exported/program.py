import os

import torch

ROOT = os.environ["DATA_ROOT"]
x = torch.load(os.path.join(ROOT, "train.pt"))
print(x.shape)
