import subprocess
import sys

import torch

print("preprocessing", torch.__version__, flush=True)
subprocess.run([sys.executable, "-c", "import ctypes; ctypes.string_at(0)"], check=True)
print("training")
