"""A control plane that throttles after twelve calls."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer


class Plane(BaseHTTPRequestHandler):
    calls = 0

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        Plane.calls += 1
        if Plane.calls <= 12:
            status, body = 200, {"TrainingJobSummaries": []}
        else:
            status, body = 400, {"__type": "ThrottlingException", "message": "Rate exceeded"}
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format, *args):
        pass


HTTPServer(("127.0.0.1", 5981), Plane).serve_forever()
