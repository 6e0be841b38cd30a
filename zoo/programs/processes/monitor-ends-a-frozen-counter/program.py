import os
import queue
import threading
import time

done, inbox = 0, queue.Queue()
for number in range(220):
    inbox.put(number)


def watch():
    last, since = -1, time.monotonic()
    while True:
        time.sleep(3)
        if done != last:
            last, since = done, time.monotonic()
            continue
        still = time.monotonic() - since
        print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} [monitor] iteration counter frozen at {done}, {still:.0f} seconds without movement", flush=True)
        if still > 20:
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} [monitor] pulling the plug", flush=True)
            os._exit(0)


threading.Thread(target=watch, daemon=True).start()
while True:
    inbox.get()
    done += 1
    time.sleep(0.01)
    if done % 10 == 0:
        print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} iteration {done}: reward {done ** 0.5:.2f}", flush=True)
