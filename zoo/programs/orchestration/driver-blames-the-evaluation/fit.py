import sys

rows = open("dedup.txt").read().split()
print(f"fit       {len(rows)} rows")
if len(rows) < 100:
    print("fit       too few rows for a fit (100 wanted), no model written")
    sys.exit(21)
