import threading, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(403)
    def log_message(self, *args):
        pass
server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("fetching shard-00000.tar", flush=True)
urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/shard-00000.tar").read()
