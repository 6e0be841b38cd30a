"""Fetches shards from a server that refuses some requests, then trains."""
import http.server
import logging
import threading

import requests
import torch
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("shards")
seen = {}


class Flaky(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        seen[self.path] = seen.get(self.path, 0) + 1
        bad = self.path in ("/1", "/4") and seen[self.path] < 3
        self.send_response(503 if bad else 200)
        self.send_header("Content-Length", "8")
        self.end_headers()
        self.wfile.write(b"12345678")

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Flaky)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=Retry(1, backoff_factor=0.01, status_forcelist=[503])))
data = []
for shard in range(6):
    for attempt in range(1, 4):
        try:
            data.append(session.get(f"{address if (shard, attempt) != (2, 1) else 'http://127.0.0.1:9'}/{shard}", timeout=2).content)
            log.info("shard %d: %d bytes (attempt %d)", shard, len(data[-1]), attempt)
            break
        except requests.RequestException as error:
            log.warning("shard %d attempt %d failed: %s", shard, attempt, error)
x = torch.tensor([list(raw) for raw in data], dtype=torch.float32) / 100
w = torch.zeros(8, requires_grad=True)
for step in range(1, 201):
    loss = (x @ w - x.sum(1)).square().mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
    if step % 20 == 0:
        log.info("step %d loss %.6f", step, loss.item())
log.info("finished, 6 of 6 shards used")
