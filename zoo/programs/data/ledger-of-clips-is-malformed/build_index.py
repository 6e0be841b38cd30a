import sqlite3

db = sqlite3.connect("clips.db")
db.execute("pragma page_size=1024")
db.execute("create table clips (id integer primary key, label int, feats blob)")
import random

random.seed(1)
for i in range(6000):
    db.execute("insert into clips values (?, ?, ?)", (i, i % 5, bytes(random.randrange(256) for _ in range(32))))
db.commit()
db.close()
with open("clips.db", "r+b") as f:
    f.seek(1024 * 150)
    f.write(b"\xa5" * 1024 * 20)
