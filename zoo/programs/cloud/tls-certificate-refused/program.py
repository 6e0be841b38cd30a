import logging
import time

import requests

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s [%(name)s] %(message)s")
log = logging.getLogger("feature-fetch")
for attempt in range(1, 4):
    try:
        features = requests.get("https://127.0.0.1:5980/features/v2", timeout=5).json()
        break
    except requests.exceptions.SSLError as error:
        log.warning("attempt %d failed: %s", attempt, error)
        time.sleep(0.5)
else:
    raise RuntimeError("feature service unavailable after 3 attempts")
