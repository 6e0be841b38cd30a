"""Builds a vocabulary from text files, one of them in another encoding."""
from collections import Counter
from pathlib import Path

for index in range(12):
    text = f"document {index} was retried after a network error " * 30
    raw = text.encode()
    if index == 9:
        raw = raw[:400] + "déjà vu".encode("latin-1") + raw[400:]
    Path(f"doc{index:02d}.txt").write_bytes(raw)

counts = Counter()
for path in sorted(Path(".").glob("doc*.txt")):
    counts.update(path.read_text(encoding="utf-8").split())
    print(f"{path.name}: vocabulary now {len(counts)} words", flush=True)
print("vocabulary finished, training would start here")
