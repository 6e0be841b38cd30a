import csv, sys, traceback
open("raw.csv", "w").write("id,text\n1,a\n")
def prepare():
    return [int(row["label"]) for row in csv.DictReader(open("raw.csv"))]
print("stage prepare: started", flush=True)
try:
    prepare()
except Exception:
    traceback.print_exc()
    print("stage prepare: FAILED", flush=True)
    for name in ("train", "evaluate", "publish"):
        print(f"stage {name}: NOT_TRIGGERED (upstream prepare failed)", flush=True)
    sys.exit(1)
