import http.server
import json
import threading
import time
import urllib.error
import urllib.request

import numpy as np


class Desk(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(np.random.default_rng(int(self.path[1:])).normal(size=(16, 4)).tolist()).encode()
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)

    def log_message(self, *a):
        pass


def out(event, **kw):
    print(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "[info     ]" if kw.pop("ok", True) else "[warning  ]", f"{event:<30}", " ".join(f"{k}={v}" for k, v in kw.items()), flush=True)


server = http.server.HTTPServer(("127.0.0.1", 18431), Desk)
threading.Thread(target=server.serve_forever, daemon=True).start()


def features(n):
    attempt = 0
    while True:
        attempt += 1
        try:
            return np.array(json.load(urllib.request.urlopen(f"http://127.0.0.1:18431/{n}", timeout=2)))
        except (urllib.error.URLError, ConnectionError) as e:
            wait = min(0.2 * 2**attempt, 1.0)
            out("feature desk gave no answer", ok=False, attempt=attempt, reason=repr(str(getattr(e, "reason", e))), sleep=wait)
            time.sleep(wait)


w = np.zeros(4)
for step in range(1, 500):
    x = features(step)
    y = (x.sum(1) > 0).astype(float)
    p = 1 / (1 + np.exp(-x @ w))
    w -= 0.3 * x.T @ (p - y) / 16
    if step % 2 == 0:
        out("ctr", step=step, logloss=f"{-np.log(np.where(y > 0, p, 1 - p)).mean():.4f}")
    time.sleep(0.05)
    if step == 46:
        server.shutdown(); server.server_close()
