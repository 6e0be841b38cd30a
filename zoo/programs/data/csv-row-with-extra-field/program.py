"""Loads a CSV in which a free-text field holds a comma."""
import logging

import pandas as pd

logging.basicConfig(level=logging.INFO, format="%(message)s")
with open("tickets.csv", "w") as file:
    file.write("id,priority,text\n")
    for index in range(1500):
        file.write(f"{index},{index % 4},job {index} failed with exit code 1\n" if index != 811 else "811,2,job 811 was killed, then restarted\n")
logging.info("loading tickets.csv")
frame = pd.read_csv("tickets.csv")
logging.info("%d tickets", len(frame))
