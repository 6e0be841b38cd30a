import struct
import threading
import time

import numpy as np
from tqdm import tqdm

state = {"last": time.time()}
rng = np.random.default_rng(1)
w = np.zeros(40)
with open("audio.fifo", "rb") as pipe:
    bar = tqdm(total=1200, desc="wav2score", unit="utt", mininterval=0.5)

    def watch():
        while True:
            time.sleep(2)
            idle = time.time() - state["last"]
            if idle > 3:
                bar.set_postfix_str(f"idle {idle:.0f}s, read(audio.fifo) pending")
                bar.refresh()

    threading.Thread(target=watch, daemon=True).start()
    while True:
        head = pipe.read(4)
        if not head:
            break
        (size,) = struct.unpack("<I", head)
        x = np.frombuffer(pipe.read(size), dtype="<f4")
        w -= 0.01 * (x @ w - x[:4].sum()) * x
        state["last"] = time.time()
        bar.update()
