import argparse
import concurrent.futures
import logging
import sys
import time

import numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("--jobs", type=int)
args = ap.parse_args()
logging.basicConfig(level=logging.INFO, format="%(process)d %(threadName)-22s %(message)s", stream=sys.stdout)
log = logging.getLogger()


class SilentClip(Exception):
    def __init__(self, clip, seconds):
        super().__init__(clip, seconds)
        self.clip, self.seconds = clip, seconds

    def __str__(self):
        return f"clip {self.clip}: 0 of {self.seconds:.2f} s left after voice detection, cannot make frames of it"


def mel(n):
    rng = np.random.default_rng(n)
    wave = rng.normal(size=8000) * (0.0001 if n == 731 else 0.3)
    voiced = wave[np.abs(wave) > 0.01]
    time.sleep(0.002)
    if len(voiced) < 400:
        raise SilentClip(f"{n:05d}.wav", 8000 / 16000)
    return np.log(np.abs(np.fft.rfft(voiced[:400])) + 1e-6)


log.info("preparing 5000 clips with %d threads, training on the fly", args.jobs)
w, done = np.zeros(201), 0
with concurrent.futures.ThreadPoolExecutor(args.jobs, thread_name_prefix="mel") as pool:
    try:
        for feats in pool.map(mel, range(5000)):
            w += 0.001 * (feats.mean() - w @ feats / 201) * feats
            done += 1
            if done % 50 == 0:
                log.info("clips ready: %d, |w| %.4f", done, np.linalg.norm(w))
    except SilentClip as e:
        pool.shutdown(wait=False, cancel_futures=True)
        log.critical("%s", e)
        log.info("stopped; %d of 5000 clips were used, weights thrown away", done)
        sys.exit(65)
