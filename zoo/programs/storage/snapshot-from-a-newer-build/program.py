import json
import sys
from pathlib import Path

VERSION, READS = "0.17.0", range(3, 6)
where = Path(sys.argv[-1])
print(f"tideml {VERSION} (cpu) - resume")
head = json.loads((where / "snapshot.json").read_text())
print(f"  snapshot : {where}  (update {head['update']}, {len(head['files'])} files)")
print("  optimiser: lion, 2 slots")
magic = {f: (where / f).read_bytes()[:4] for f in head["files"]}
if head["format"] not in READS:
    bad = ", ".join(f"{f}={m.decode()}" for f, m in magic.items())
    print(f"  cannot read this snapshot: format {head['format']} by {head['written_by']}, this build reads {READS.start} to {READS.stop - 1} ({bad})")
    print("Nothing was changed on disk. Bye.")
    sys.exit(74)
