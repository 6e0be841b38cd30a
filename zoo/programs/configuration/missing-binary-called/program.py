import subprocess

import torch

print("torch", torch.__version__)
gpus = subprocess.check_output(["nvidia-smi", "-L"], text=True)
print(gpus)
