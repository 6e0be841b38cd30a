import subprocess, sys
def decode(n):
    code = f"import sys; sys.exit('clip_{n:03d}.mp4: moov atom not found') if {n} == 7 else print({n})"
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE).stdout
for n in range(1, 20):
    decode(n)
    print(f"step {n} loss {1 / n:.4f}", flush=True)
