import subprocess
import sys
import time

RESTARTS = 3


def say(text):
    print(time.strftime("%H:%M:%S"), "supervisor:", text, flush=True)


for attempt in range(RESTARTS + 1):
    say(f"starting worker, attempt {attempt + 1}")
    code = subprocess.run([sys.executable, "train.py"]).returncode
    if code == 0:
        say("worker finished")
        sys.exit(0)
    if code < 0:
        say(f"worker ended by signal {-code}")
    else:
        say(f"worker exited with status {code}")
    time.sleep(0.5)
say(f"giving up after {RESTARTS} restarts")
sys.exit(75)
