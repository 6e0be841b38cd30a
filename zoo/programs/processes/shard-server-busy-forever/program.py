import http.server
import io
import logging
import threading
import time
import urllib.error
import urllib.request

import numpy as np

logging.basicConfig(level=logging.INFO, format="[%(asctime)s] %(levelname)s (%(funcName)s) %(message)s")


class Shards(http.server.BaseHTTPRequestHandler):
    """What the storage gateway does once its disks are full of requests."""

    def do_GET(self):
        if int(self.path[-6:-4]) >= 7:
            self.send_error(503)
            return
        body = io.BytesIO()
        np.save(body, np.random.default_rng(int(self.path[-6:-4])).normal(size=(400, 9)))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body.getvalue())

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shards)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


def fetch(number):
    attempt = 0
    while True:
        attempt += 1
        try:
            with urllib.request.urlopen(f"{base}/shard-{number:02d}.npy", timeout=5) as answer:
                return np.load(io.BytesIO(answer.read()))
        except urllib.error.HTTPError as error:
            logging.warning("shard-%02d: %s (attempt %d), will try again in 1 s", number, error, attempt)
            time.sleep(1)


w = np.zeros(8)
for number in range(24):
    rows = fetch(number)
    for part in np.array_split(rows, 8):
        w -= 0.02 * part[:, :8].T @ (part[:, :8] @ w - part[:, 8] - part[:, 0]) / len(part)
    logging.info("shard %d/24 done, rmse %.4f", number + 1, np.sqrt(np.mean((rows[:, :8] @ w - rows[:, 8] - rows[:, 0]) ** 2)))
