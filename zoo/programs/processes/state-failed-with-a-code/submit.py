import subprocess
import sys
import time

argv = sys.argv[sys.argv.index("--") + 1 :]


def show(text):
    print(time.strftime("[%Y-%m-%d %H:%M:%S]"), "run r-20417", text, flush=True)


show("state PENDING")
show("state STARTING (host pool: batch)")
job = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
show("state RUNNING")
code = job.wait()
show("state COMPLETED" if code == 0 else f"state FAILED (code {code})")
sys.exit(1 if code else 0)
