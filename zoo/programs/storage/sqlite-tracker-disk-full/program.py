import sqlite3

import torch

db = sqlite3.connect("mlruns/metrics.db")
db.execute("create table metrics (step integer, name text, value real, note text)")
for step in range(1, 100000):
    loss = 1 / step
    db.execute("insert into metrics values (?, 'loss', ?, ?)", (step, loss, "x" * 4000))
    if step % 50 == 0:
        db.commit()
        print(f"step {step} loss {loss:.5f}", flush=True)
