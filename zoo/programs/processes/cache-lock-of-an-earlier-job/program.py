import fcntl
import json
import logging
import os
import time

logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(levelname)s] %(name)s: %(message)s")
log = logging.getLogger("pretrain")
log.info("config: %s", json.dumps({"corpus": "news-2025", "vocab": 32000, "epochs": 3, "lr": 0.0003}))
log.info("tokenised cache: cache/news-2025.arrow")
handle = open("cache/news-2025.arrow.lock", "r+")
owner = handle.read().strip()
began = time.monotonic()
tries = 0
while True:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        break
    except BlockingIOError:
        tries += 1
        waited = time.monotonic() - began
        log.info("cache/news-2025.arrow.lock is held by %s, still waiting (%.0f s)", owner, waited)
        time.sleep(5)
log.info("lock taken, tokenising")
for epoch in range(3):
    log.info("epoch %d done", epoch)
