import http.server
import threading
import time
import urllib.request

BLOCK = 20_000


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(62 * BLOCK))
        self.end_headers()
        for _ in range(19):
            self.wfile.write(bytes(BLOCK))
            time.sleep(0.1)
        threading.Event().wait()  # and nothing more

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
threading.Thread(target=server.serve_forever, daemon=True).start()
got = 0


def report():
    while True:
        time.sleep(1 if got < 19 * BLOCK else 20)
        print(f"{time.strftime('%H:%M:%S')} weights.bin: {got // 1000} kB of {62 * BLOCK // 1000} kB", flush=True)


print(f"{time.strftime('%H:%M:%S')} fetching the pretrained weights", flush=True)
threading.Thread(target=report, daemon=True).start()
with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/weights.bin") as reply:
    while part := reply.read1(BLOCK):
        got += len(part)
print("weights are here")
