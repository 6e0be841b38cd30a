import threading
import time

from tqdm import tqdm

bar = tqdm(total=120, desc="Training", mininterval=0)


def redraw():
    while True:
        time.sleep(0.5)
        bar.refresh()


threading.Thread(target=redraw, daemon=True).start()
for step in range(120):
    time.sleep(0.02)
    bar.set_postfix(loss=f"{3 / (1 + step / 50):.3f}")
    bar.update()
    if step == 60:
        time.sleep(12)  # a checkpoint goes to a slow disk
bar.close()
print("training finished")
