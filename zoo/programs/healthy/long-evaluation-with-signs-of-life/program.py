import threading
import time


def beat():
    while True:
        time.sleep(4)
        print(time.strftime("%Y-%m-%d %H:%M:%S"), "alive", flush=True)


threading.Thread(target=beat, daemon=True).start()
for epoch in range(1, 3):
    for step in range(1, 31):
        time.sleep(0.05)
        print(time.strftime("%Y-%m-%d %H:%M:%S"), f"epoch {epoch} step {30 * (epoch - 1) + step}/60 loss {2 / step ** 0.3:.4f}", flush=True)
    time.sleep(45)  # the evaluation prints nothing of its own
    print(time.strftime("%Y-%m-%d %H:%M:%S"), f"epoch {epoch} accuracy {0.8 + epoch / 30:.3f}", flush=True)
