import faulthandler
import json
import socket
import threading
import time
from datetime import datetime

import numpy as np

faulthandler.dump_traceback_later(25, repeat=True)


def serve(listener):
    peer, _ = listener.accept()
    for _ in range(90):
        if not peer.recv(64):
            return
        row = np.random.default_rng().normal(size=8).tolist()
        peer.sendall((json.dumps(row) + "\n").encode())
    threading.Event().wait()  # the store is up and silent


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
store = socket.create_connection(listener.getsockname())
lines = store.makefile("r")


def features():
    store.sendall(b"next\n")
    return np.array(json.loads(lines.readline()))


weights, target = np.zeros(8), np.linspace(-1, 1, 8)
for step in range(1, 2001):
    x = features()
    error = x @ weights - x @ target
    weights -= 0.02 * error * x
    time.sleep(0.05)
    if step % 10 == 0:
        print(f"{datetime.now():%H:%M:%S} step {step}/2000 mse={error**2:.5f}", flush=True)
