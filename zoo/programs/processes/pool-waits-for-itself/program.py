import os
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import numpy as np


def say(level, text):
    frame = sys._getframe(1)
    print(f"{datetime.now():%Y-%m-%d %H:%M:%S.%f}"[:-3], f"| {level:<8} | __main__:{frame.f_code.co_name}:{frame.f_lineno} - {text}", file=sys.stderr, flush=True)


pool = ThreadPoolExecutor(max_workers=4)
rng = np.random.default_rng(5)
songs = [rng.normal(size=4096) for _ in range(64)]


def window(song, at):
    return np.abs(np.fft.rfft(song[at:at + 512]))[:32]


def features(song):
    parts = [pool.submit(window, song, at) for at in range(0, 4096 - 512, 512)]
    return np.mean([part.result() for part in parts], axis=0)


def extract(batch):
    waiting = [pool.submit(features, song) for song in batch]
    began = time.time()
    while not all(job.done() for job in waiting):
        time.sleep(0.05)
        if time.time() - began > 3:
            say("WARNING", f"feature pool: {sum(job.done() for job in waiting)}/{len(waiting)} songs done, 4/4 threads busy, {pool._work_queue.qsize()} jobs queued")
            time.sleep(3)
    return np.stack([job.result() for job in waiting])


w = np.zeros(32)
for n, size in enumerate([1, 2, 2, 3, 3, 3, 8, 8, 8, 8], 1):
    try:
        x = extract(songs[:size])
    except KeyboardInterrupt:
        traceback.print_exc()
        say("CRITICAL", "stopped by hand")
        os._exit(130)
    w -= 1e-5 * x.T @ (x @ w - x.mean(1))
    say("INFO", f"batch {n}/10, {size} songs, mse {np.mean((x @ w - x.mean(1)) ** 2):.4f}")
