import threading
import time

st = {"step": 0}
c = threading.Condition()


def hb():
    n = 0
    while True:
        time.sleep(1)
        n += 1
        print(f"tick {n}: step={st['step']} pending=0", flush=True)


threading.Thread(target=hb, daemon=True).start()
while True:
    time.sleep(0.02)
    st["step"] += 1
    if st["step"] % 50 == 0:
        print(f"step={st['step']} loss={1 / (1 + st['step'] / 80):.4f}", flush=True)
    if st["step"] == 150:
        with c:
            c.wait()
