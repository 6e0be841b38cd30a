import random
import threading
import time

t0 = time.time()


def p(m):
    print(f"[{time.time() - t0:8.2f}] {m}", flush=True)


st = {"it": 0}
ev = threading.Event()


def dev():
    while True:
        time.sleep(3)
        busy = random.randint(88, 99) if st["it"] % 97 and st["it"] < 300 else 0
        p(f"device: util {busy if st['it'] < 120 else 0}% mem 21344MiB power {310 if st['it'] < 120 else 61}W")


threading.Thread(target=dev, daemon=True).start()
for ep in range(1, 6):
    for it in range(1, 51):
        time.sleep(0.06)
        st["it"] += 1
        if it % 10 == 0:
            p(f"ep {ep} it {it}/50 nll {3.1 / (1 + st['it'] / 40):.3f}")
        if st["it"] == 120:
            ev.wait()
