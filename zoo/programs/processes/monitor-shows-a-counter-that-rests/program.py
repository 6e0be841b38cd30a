import sys
import threading
import time
from datetime import datetime


def info(m, ln):
    sys.stderr.write(datetime.now().strftime("I%m%d %H:%M:%S.%f") + f" 139872 trainer.py:{ln}] {m}\n")
    sys.stderr.flush()


a, b = threading.Lock(), threading.Lock()
n = 0
stamp = time.time()


def train():
    global n, stamp
    info("Starting train loop, num_train_steps = 4000", 41)
    while True:
        with a:
            time.sleep(0.004)
            with b:
                pass
        n += 1
        stamp = time.time()
        if n % 50 == 0:
            info(f"step = {n}, loss = {2.3 / (1 + n / 200):.4f}, steps/s = 240.1", 58)


def snapshot():
    time.sleep(3.2)
    while True:
        with b:
            time.sleep(0.05)
            with a:
                pass


threading.Thread(target=train, daemon=True).start()
threading.Thread(target=snapshot, daemon=True).start()
while True:
    time.sleep(4)
    info(f"monitor: counter {n}, snapshot thread alive, train thread alive", 77)
