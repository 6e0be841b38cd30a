import argparse
import logging
import os
import time

import numpy as np

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)-7s | %(message)s", datefmt="%d.%m. %H:%M:%S")
teile = argparse.ArgumentParser()
teile.add_argument("--daten")
teile.add_argument("--anzahl", type=int, default=12)
wahl = teile.parse_args()


def lade(nummer):
    pfad = f"{wahl.daten}/shard-{nummer:02d}.npz"
    beginn = time.monotonic()
    while not os.path.exists(pfad):
        time.sleep(2)
        logging.info("warte auf %s seit %d s (Schreiber noch nicht fertig?)", os.path.basename(pfad), time.monotonic() - beginn)
    return np.load(pfad)


w, schritt = np.zeros(10), 0
for nummer in range(wahl.anzahl):
    teil = lade(nummer)
    logging.info("%s geladen, %d Zeilen", f"shard-{nummer:02d}.npz", len(teil["y"]))
    for i in range(0, 400, 40):
        x, y = teil["x"][i : i + 40], teil["y"][i : i + 40]
        fehler = x @ w - y
        w -= 0.02 * x.T @ fehler / 40
        schritt += 1
        logging.info("Schritt %d: mittlerer Fehler %.4f", schritt, np.abs(fehler).mean())
        time.sleep(0.02)
logging.info("fertig")
