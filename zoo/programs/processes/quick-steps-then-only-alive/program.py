import threading
import time

shard = threading.Semaphore(60)


def beat():
    while True:
        time.sleep(5)
        print(time.strftime("%Y-%m-%d %H:%M:%S"), "alive", flush=True)


threading.Thread(target=beat, daemon=True).start()
for step in range(1, 10_000):
    shard.acquire()  # the reader gave sixty and went away
    time.sleep(0.1)
    print(time.strftime("%Y-%m-%d %H:%M:%S"), f"step={step} loss={2 / step ** 0.3:.4f}", flush=True)
