import multiprocessing as mp
import os
import queue
import time


def consume(q):
    for _ in range(37):
        q.get()
        time.sleep(0.05)
    os._exit(0)


q = mp.Queue(8)
p = mp.Process(target=consume, args=(q,))
p.start()
i = 0
while True:
    try:
        q.put(i, timeout=1.0)
        i += 1
        if i % 5 == 0:
            print(f"fed {i} clips to the trainer", flush=True)
    except queue.Full:
        print(f"trainer does not take clips: fed {i}, buffered {q.qsize()} of 8", flush=True)
