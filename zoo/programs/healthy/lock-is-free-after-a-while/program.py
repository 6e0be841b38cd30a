import fcntl
import threading
import time

holder, mine = open("cache.lock", "w"), open("cache.lock", "a")
fcntl.flock(holder, fcntl.LOCK_EX)
threading.Timer(8, lambda: fcntl.flock(holder, fcntl.LOCK_UN)).start()
began = time.monotonic()
while True:
    try:
        fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
        break
    except OSError:
        print(f"{time.strftime('%H:%M:%S')} another process holds cache.lock, waiting ({time.monotonic() - began:.0f} s)", flush=True)
        time.sleep(2)
print(f"{time.strftime('%H:%M:%S')} cache.lock is ours", flush=True)
for step in range(1, 41):
    time.sleep(0.02)
    print(f"{time.strftime('%H:%M:%S')} step {step}/40 loss {2 / step ** 0.5:.4f}", flush=True)
