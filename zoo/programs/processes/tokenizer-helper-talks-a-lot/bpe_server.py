import sys

for n, line in enumerate(sys.stdin):
    words = line.split()
    sys.stderr.write(f"bpe_server: line {n}: {len(words)} words, no merge for " + " ".join(words[:40]) + "\n")
    sys.stderr.flush()
    print(" ".join(str(sum(map(ord, w)) % 5000) for w in words), flush=True)
