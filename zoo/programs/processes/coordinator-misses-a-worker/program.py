import socket
import sys
import threading
import time

server = socket.create_server(("127.0.0.1", 0))
port = server.getsockname()[1]
ready = []


def join(number):
    time.sleep(0.2 * number)
    link = socket.create_connection(("127.0.0.1", port))
    link.sendall(str(number).encode())
    time.sleep(60)


for number in (0, 1, 3):  # the second is never started
    threading.Thread(target=join, args=(number,), daemon=True).start()
began = time.monotonic()
server.settimeout(4)
while len(ready) < 4 and time.monotonic() - began < 24:
    try:
        link, _ = server.accept()
        ready.append(int(link.recv(8)))
        print(f"{time.strftime('%H:%M:%S')} worker {ready[-1]} connected", flush=True)
    except TimeoutError:
        print(f"{time.strftime('%H:%M:%S')} {len(ready)} of 4 workers here after {time.monotonic() - began:.0f} seconds", flush=True)
print(f"{time.strftime('%H:%M:%S')} worker 2 never showed up, leaving", flush=True)
sys.exit(9)
