import logging
import time

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)-8s | %(message)s")
lg = logging.getLogger("ckpt")
for s in range(0, 60, 20):
    lg.info("step %d loss %.3f", s, 2 - s / 60)


class UploadFailed(Exception):
    pass


def put(n):
    raise ConnectionError("503 Slow Down from bucket models-eu")


for attempt in range(1, 4):
    try:
        put("step60.pt")
        break
    except ConnectionError as e:
        lg.warning("upload of step60.pt failed (attempt %d/3): %s", attempt, e)
        time.sleep(0.05)
else:
    raise UploadFailed("giving up on checkpoint step60.pt after 3 attempts")
