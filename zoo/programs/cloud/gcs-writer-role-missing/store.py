"""An object store whose reader role lists and reads, and refuses every write."""
import http.server
import json

WHO = "trainer@vision-lab.iam.gserviceaccount.com"


class Store(http.server.BaseHTTPRequestHandler):
    def reply(self, code, body):
        raw = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def do_GET(self):
        self.reply(200, {"kind": "storage#objects", "items": []})

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        words = f"{WHO} does not have storage.objects.create access to the Google Cloud Storage object."
        error = {"message": words, "domain": "global", "reason": "forbidden"}
        self.reply(403, {"error": {"code": 403, "message": words, "errors": [error]}})

    def log_message(self, *_):
        pass


http.server.HTTPServer(("127.0.0.1", 5985), Store).serve_forever()
