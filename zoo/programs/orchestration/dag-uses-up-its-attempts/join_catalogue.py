import sys
import time

time.sleep(0.4)
print("join_catalogue: catalogue snapshot of today is in state BUILDING", flush=True)
sys.exit(75)
