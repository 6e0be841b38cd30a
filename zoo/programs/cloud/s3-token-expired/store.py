"""An object store that stops accepting a session after three reads."""

from http.server import BaseHTTPRequestHandler, HTTPServer

EXPIRED = b"""<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>"""


class Store(BaseHTTPRequestHandler):
    reads = 0

    def do_GET(self):
        Store.reads += 1
        status, body = (200, bytes(range(256)) * 64) if Store.reads <= 3 else (400, EXPIRED)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


HTTPServer(("127.0.0.1", 5978), Store).serve_forever()
