import json
import sys

m = json.load(open(sys.argv[1]))
print(f"tokenize_corpus: manifest by {m['written_by']} at {m['at']}: status={m['status']}, {len(m['files'])} files", flush=True)
if m["status"] != "complete":
    print("tokenize_corpus: upstream is not complete, refusing to tokenize", flush=True)
    sys.exit(2)
