import subprocess
import sys

print("[pipeline] stage preprocess", flush=True)
r = subprocess.run([sys.executable, "-c", "import sys; print('prep: wrote 0 files'); sys.exit(4)"])
if r.returncode:
    print(f"[pipeline] stage preprocess exited with {r.returncode}; skipping train, eval", flush=True)
    sys.exit(r.returncode)
