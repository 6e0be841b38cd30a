import argparse
import logging
import sys

log = logging.getLogger("ner")
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(relativeCreated)7.0fms %(levelname).1s %(message)s")


class ResumeFailed(RuntimeError):
    def __init__(self, where, why):
        super().__init__(f"cannot go on from {where}: {why}")


def open_state(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as e:
        raise ResumeFailed(path, e.strerror) from e


a = argparse.ArgumentParser()
a.add_argument("--from", dest="src")
src = a.parse_args().src
log.info("named entities, 9 tags, 128 hidden")
log.info("vocabulary: 14021 words (cached)")
log.debug("gazetteer not given, going on without")
try:
    state = open_state(src)
except ResumeFailed:
    log.exception("start-up did not get past the saved state")
    log.info("no step was made, nothing was written")
    sys.exit(66)
