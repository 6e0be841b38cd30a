import threading
import time

n = [0]


def hb():
    while True:
        time.sleep(0.5)
        print(f"alive, step {n[0]}", flush=True)


threading.Thread(target=hb, daemon=True).start()
while n[0] < 6:
    time.sleep(6)
    n[0] += 1
    print(f"step {n[0]} loss {1 / n[0]:.3f}", flush=True)
print("training finished", flush=True)
