import threading
import time

buf = []
gone = threading.Event()


def ts():
    return time.strftime("%b %d %H:%M:%S")


def actor(k):
    for _ in range(170 if k else 90):
        time.sleep(0.02)
        buf.append(1)


for k in range(3):
    threading.Thread(target=actor, args=(k,), daemon=True).start()
up = 0
while True:
    w = 0
    while len(buf) < 64:
        time.sleep(0.5)
        w += 1
        if w % 4 == 0:
            print(f"{ts()} learner: replay holds {len(buf)} transitions, a batch takes 64", flush=True)
    del buf[:64]
    up += 1
    print(f"{ts()} learner: policy update {up}, return {up * 1.7:.1f}", flush=True)
