import json
import os

os.makedirs("snap/000400")
json.dump({"format": 7, "written_by": "tideml 0.19.2", "update": 400, "files": ["params.tml", "slots.tml"]}, open("snap/000400/snapshot.json", "w"))
for f in ("params.tml", "slots.tml"):
    open(f"snap/000400/{f}", "wb").write(b"TML7" + bytes(64))
