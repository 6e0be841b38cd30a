"""Decodes recordings and writes them to standard output, with their sizes."""
import signal
import struct
import sys
import time

import numpy as np

signal.signal(signal.SIGINT, signal.SIG_IGN)
rng = np.random.default_rng(0)
for n in range(437):
    body = rng.normal(size=40).astype("<f4").tobytes()
    sys.stdout.buffer.write(struct.pack("<I", len(body)) + body)
    sys.stdout.buffer.flush()
    time.sleep(0.005)
sys.stdout.buffer.write(struct.pack("<I", 160))
sys.stdout.buffer.flush()
time.sleep(600)  # the network share behind it stopped answering
