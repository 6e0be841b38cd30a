import threading
import time

from tqdm import tqdm

more = threading.Semaphore(400)


def probe():
    while True:
        time.sleep(15)
        print(f"\n[probe {time.strftime('%H:%M:%S')}] GET /healthz 200", flush=True)


for step in (bar := tqdm(range(2000), desc="Epoch 1", mininterval=0, miniters=40, ncols=80)):
    more.acquire()
    if step == 399:
        threading.Thread(target=probe, daemon=True).start()
    time.sleep(0.01)
