import sqlite3
import sys
import time
from datetime import datetime


def log(level, m):
    sys.stderr.write(f"{datetime.now():%Y-%m-%d %H:%M:%S.%f}"[:-3] + f" | {level:<8} | __main__:record:31 - {m}\n")


a = sqlite3.connect("book.db")
a.execute("create table if not exists t(i)")
a.commit()
b = sqlite3.connect("book.db", timeout=1.0)
for i in range(1, 300):
    time.sleep(0.05)
    if i == 41:
        a.execute("begin exclusive")
    while True:
        try:
            b.execute("insert into t values(?)", (i,))
            b.commit()
            break
        except sqlite3.OperationalError as e:
            log("WARNING", f"sample {i} not booked: {e}")
            time.sleep(0.5)
    if i % 10 == 0:
        log("INFO", f"trained on {i} samples, mae {9 / (1 + i / 9):.3f}")
