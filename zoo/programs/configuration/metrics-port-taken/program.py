"""Starts a metrics endpoint before training; the port is taken."""
import http.server
import socket
import threading
import time

other = socket.create_server(("127.0.0.1", 29843))
print(time.strftime("%H:%M:%S"), "exporter: serving metrics on 127.0.0.1:29843", flush=True)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 29843), http.server.BaseHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
for step in range(100):
    print("step", step)
