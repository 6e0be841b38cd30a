"""Its first choice of port is taken, the next one is free."""
import logging
import socket

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
log = logging.getLogger("board")
blocker = socket.create_server(("127.0.0.1", 29961))
for port in range(29961, 29971):
    try:
        server = socket.create_server(("127.0.0.1", port))
        log.info("metrics on port %d", port)
        break
    except OSError as error:
        log.warning("port %d: %s, trying the next", port, error)
w = torch.zeros(3, requires_grad=True)
for step in range(1, 151):
    loss = (w - 2).square().sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad = None
    if step % 15 == 0:
        log.info("step %d loss %.4f", step, loss.item())
log.info("done")
