import json
import sys

everything, train, heldout = sys.argv[1:]
rows = [{"id": i, "text": f"ticket {i}", "len": i % 17} for i in range(300)]
for path, part in ((everything, rows), (train, rows[:250]), (heldout, rows[250:])):
    with open(path, "w") as f:
        f.writelines(json.dumps(r) + "\n" for r in part)
    print(f"   {path}: {len(part)} rows")
