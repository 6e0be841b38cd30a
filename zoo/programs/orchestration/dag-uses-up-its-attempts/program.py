import json
import subprocess
import sys
import time
from collections import Counter


def log(level, task, text):
    print(f"[{time.strftime('%Y-%m-%dT%H:%M:%S%z')}] {{taskrunner.py}} {level} - <{task}> {text}", flush=True)


dag = json.load(open(sys.argv[1]))
state = {}
log("INFO", dag["dag_id"], f"{len(dag['tasks'])} tasks queued")
for task in dag["tasks"]:
    bad = [up for up in task["after"] if state[up] != "success"]
    if bad:
        state[task["id"]] = "upstream_failed"
        log("INFO", task["id"], f"marking task as UPSTREAM_FAILED because of {', '.join(bad)}")
        continue
    total = task["retries"] + 1
    for attempt in range(1, total + 1):
        log("INFO", task["id"], f"starting attempt {attempt} of {total}: {task['cmd']}")
        code = subprocess.run(task["cmd"], shell=True).returncode
        if code == 0:
            state[task["id"]] = "success"
            log("INFO", task["id"], "marking task as SUCCESS")
            break
        last = attempt == total
        log("ERROR" if last else "WARNING", task["id"], f"command returned {code}; " + ("no attempts left, marking task as FAILED" if last else f"marking task as UP_FOR_RETRY, next in {0.3 * 2**attempt:.1f} s"))
        time.sleep(0 if last else 0.3 * 2**attempt)
    else:
        state[task["id"]] = "failed"
count = Counter(state.values())
log("INFO", dag["dag_id"], "run finished: " + ", ".join(f"{n} {s}" for s, n in count.items()))
sys.exit(0 if set(count) == {"success"} else 1)
