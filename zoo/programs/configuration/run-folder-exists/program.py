import os
os.makedirs("outputs/run-1")
print("experiment run-1")
os.makedirs("outputs/run-1", exist_ok=False)
