import argparse
import sys

p = argparse.ArgumentParser()
p.add_argument("--day")
day = p.parse_args().day
rows = [line for line in sys.stdin if line.startswith(day)]
for row in rows:
    sys.stdout.write(row)
print(f"features: {len(rows)} rows for {day}", file=sys.stderr)
