import faulthandler
import random
import subprocess
import sys
import time

import numpy as np

faulthandler.dump_traceback_later(7, exit=False)
random.seed(0)
np.random.seed(0)
server = subprocess.Popen([sys.executable, "bpe_server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
table = np.random.randn(5000, 16) * 0.02
seen = 0
print("pretraining a bigram table, corpus = /data/web.txt", flush=True)
for doc in range(100000):
    text = " ".join("".join(random.choices("abcdefghij", k=6)) for _ in range(60))
    server.stdin.write(text + "\n")
    server.stdin.flush()
    ids = np.array([int(t) for t in server.stdout.readline().split()])
    grad = table[ids[:-1]] - table[ids[1:]]
    table[ids[:-1]] -= 0.05 * grad
    seen += len(ids)
    time.sleep(0.008)
    if doc % 10 == 0:
        print(f"{time.strftime('%H:%M:%S')}  doc {doc:6d}  tokens seen {seen // 1000}k  loss {np.square(grad).mean():.6f}", flush=True)
