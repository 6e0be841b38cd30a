import os
print("trainer 2.4.1")
print("seed 1234, 8 workers, output in runs/a")
print("loading dataset ...", flush=True)
os._exit(0)
