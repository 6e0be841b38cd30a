import threading
import time

import torch

torch.set_num_threads(1)
print("starting one prefetch thread for each of 200 shards")
for i in range(200):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    if i % 10 == 0:
        print("thread", i, "started")
print("all running")
