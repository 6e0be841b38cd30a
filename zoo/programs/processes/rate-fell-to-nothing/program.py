import threading
import time

c = [0]


def feed():
    for _ in range(150):
        time.sleep(0.03)
        c[0] += 1


threading.Thread(target=feed, daemon=True).start()
old = 0
k = 0
while True:
    time.sleep(1)
    k += 1
    print(f"{k:4d}s  total {c[0]:6d} samples  {c[0] - old:5.1f} samples/s", flush=True)
    old = c[0]
