"""Online classifier over monthly batches of bookings."""
import logging

import numpy as np
import pandas as pd
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import OneHotEncoder

logging.basicConfig(format="%(levelname)s:%(name)s:%(message)s", level=logging.INFO)
log = logging.getLogger("bookings")
rng = np.random.default_rng(11)


def month(number):
    cities = ["Bern", "Graz", "Lyon", "Turin"] + (["Zagreb"] if number >= 5 else [])
    frame = pd.DataFrame({"city": rng.choice(cities, 600), "nights": rng.integers(1, 9, 600)})
    frame["cancelled"] = ((frame["nights"] > 4) ^ (frame["city"] == "Lyon")).astype(int)
    return frame


encoder = OneHotEncoder(sparse_output=False).fit(month(1)[["city"]])
model = SGDClassifier(loss="log_loss", random_state=0)
for number in range(1, 8):
    rows = month(number)
    table = np.hstack([encoder.transform(rows[["city"]]), rows[["nights"]] / 8])
    model.partial_fit(table, rows["cancelled"], classes=[0, 1])
    log.info("month %d fitted, accuracy %.3f", number, model.score(table, rows["cancelled"]))
