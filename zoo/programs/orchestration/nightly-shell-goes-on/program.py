import sys

rows = open("clean.csv").read().split()
print(f"train: {len(rows)} customers in clean.csv")
if not rows:
    print("train: leaving (4)")
    sys.exit(4)
