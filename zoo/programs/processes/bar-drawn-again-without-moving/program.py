import queue
import threading
import time

batches = queue.Queue()


def produce():
    for at in range(180):
        batches.put(at)
        time.sleep(0.02)
    threading.Event().wait()  # the share with the next shard never answers


threading.Thread(target=produce, daemon=True).start()

from tqdm import tqdm

bar = tqdm(total=1000, desc="Training", mininterval=0)


def redraw():
    while True:
        time.sleep(10)
        bar.refresh()


threading.Thread(target=redraw, daemon=True).start()
for step in range(1000):
    batches.get()
    bar.set_postfix(loss=f"{3 / (1 + step / 50):.3f}")
    bar.update()
