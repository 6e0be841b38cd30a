import http.server
import json
import logging
import threading

from google.api_core import retry
from google.api_core.exceptions import TooManyRequests
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")


class Api(http.server.BaseHTTPRequestHandler):
    """The JSON API for a project that has used up its quota after two requests."""

    protocol_version = "HTTP/1.1"
    asked = 0

    def do_GET(self):
        Api.asked += 1
        if Api.asked <= 2:
            return self.answer(200, {"kind": "storage#bucket", "name": "trials", "id": "trials", "labels": {"trial": str(Api.asked)}})
        message = (
            "Quota exceeded for quota metric 'Trial suggestions' and limit 'Trial suggestions per day' of service "
            "'storage.googleapis.com' for consumer 'project_number:770011223344'."
        )
        return self.answer(429, {"error": {"code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", "errors": [{"message": message, "domain": "usageLimits", "reason": "rateLimitExceeded"}]}})

    def answer(self, status, document):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = storage.Client("vision-research", AnonymousCredentials(), client_options={"api_endpoint": f"http://127.0.0.1:{server.server_port}"})
patience = retry.Retry(
    retry.if_exception_type(TooManyRequests), initial=0.5, multiplier=2, timeout=6,
    on_error=lambda error: logging.warning("will ask again: %s", error.message),
)
for _ in range(5):
    trial = int(client.get_bucket("trials", retry=patience).labels["trial"])
    rate = 10 ** -(trial + 1)
    w = 0.0
    for step in range(1, 201):
        w -= rate * 2 * (w - 3)
        if step % 100 == 0:
            logging.info("trial %d lr %g step %d loss %.4f", trial, rate, step, (w - 3) ** 2)
