import json
import sys

out, source = sys.argv[1:]
labels = {str(json.loads(line)["id"]): json.loads(line)["len"] > 8 for line in open(source)}
json.dump(labels, open(out, "w"))
print(f"   {out}: {len(labels)} labels")
