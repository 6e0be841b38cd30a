import logging
import struct
import sys
import tempfile
import traceback

import numpy as np

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("reader")


class CorruptRecordError(Exception):
    pass


def read(blob):
    try:
        n, crc = struct.unpack("<II", blob[:8])
    except struct.error as e:
        raise CorruptRecordError("header is cut short") from e
    if len(blob) < 8 + n or sum(blob[8 : 8 + n]) % 65536 != crc:
        raise CorruptRecordError(f"checksum of record with {n} bytes is wrong")
    return blob[8 : 8 + n]


def selftest():
    cases = {"cut header": b"\x01\x02", "flipped byte": struct.pack("<II", 4, 10) + b"\x01\x02\x03\x05", "empty file": b""}
    for name, blob in cases.items():
        try:
            read(blob)
        except CorruptRecordError:
            log.info("selftest %-12s -> refused, as it must be", name)
            traceback.print_exc(file=sys.stdout)
        else:
            sys.exit("selftest failed: bad record was read")
    try:
        np.load(tempfile.gettempdir() + "/no-such-weights-for-selftest.npy")
    except FileNotFoundError as e:
        log.info("selftest missing file -> %s, as it must be", type(e).__name__)
    log.info("selftest: 4 of 4 refusals seen")


if "--selftest" in sys.argv:
    selftest()
rng = np.random.default_rng(0)
w = np.zeros(6)
true = rng.normal(size=6)
for step in range(1, 61):
    x = rng.normal(size=(32, 6))
    e = x @ (w - true)
    w -= 0.05 * x.T @ e / 32
    logging.getLogger("trainer").info("step=%d mse=%.5f", step, (e**2).mean())
np.save("w.npy", w)
