import ctypes
import math
import pathlib

native = ctypes.CDLL("./libsplit.so")
native.middle.argtypes = [ctypes.c_char_p]
progress = pathlib.Path("progress.txt")
start = int(progress.read_text()) if progress.exists() else 0
print(f"continuing at document {start}" if start else "starting at the first document", flush=True)
counts = {}
for number in range(start + 1, 5000):
    line = f"doc{number}\tword number {number * number}\tend"
    if number == 1311:
        line = f"doc{number} word number"
    length = native.middle(line.encode())
    counts[length] = counts.get(length, 0) + 1
    if number % 100 == 0:
        total = sum(counts.values())
        entropy = -sum(c / total * math.log(c / total) for c in counts.values())
        print(f"document {number} entropy {entropy:.4f}", flush=True)
        progress.write_text(str(number))
