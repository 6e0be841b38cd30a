import threading
import time

print("step,loss,acc", flush=True)
for step in range(1, 41):
    time.sleep(0.05)
    print(f"{step},{3 / step:.4f},{1 - 1 / step:.3f}", flush=True)
threading.Event().wait()  # the next shard never comes
