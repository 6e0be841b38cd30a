import subprocess
import sys
import time

steps = ["dedup", "fit", "evaluate"]
running = []
for step in steps:
    print(f"run_all   {time.strftime('%H:%M:%S')} start {step}", flush=True)
    running.append(subprocess.Popen([sys.executable, f"{step}.py"]))
    running[-1].wait()
    for earlier in running[:-1]:
        if earlier.returncode:
            print(f"run_all   {time.strftime('%H:%M:%S')} step {step} failed with code {earlier.returncode}, stopping", flush=True)
            print(f"run_all   hint: look at the output of {step}")
            sys.exit(1)
