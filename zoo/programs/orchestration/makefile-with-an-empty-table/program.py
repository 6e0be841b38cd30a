import sys

source, target = sys.argv[1:]
rows = [line.split("\t") for line in open(source)]
if len(rows) < 2:
    print(f"fit: {source} has {len(rows)} rows, nothing to fit on; see the step that wrote it", file=sys.stderr)
    sys.exit(1)
print("fit: training on", len(rows))
