import json
import pathlib
import subprocess
import sys
import time

STATE = pathlib.Path("state.json")
tasks = json.loads(pathlib.Path("tasks.json").read_text())
state = json.loads(STATE.read_text()) if STATE.exists() else {}


class UpstreamFailed(Exception):
    pass


def note(text):
    print(time.strftime("%Y-%m-%d %H:%M:%S"), "flow |", text, flush=True)


def run(name):
    note(f"task {name}: needs {', '.join(tasks[name]['needs']) or 'nothing'}")
    for need in tasks[name]["needs"]:
        note(f"task {name}: {need} has state={state.get(need, 'none')}")
        if state.get(need) != "success":
            state[name] = "upstream_failed"
            raise UpstreamFailed(f"{name} not started: upstream task {need} is in state {state.get(need, 'none')!r}")
    code = subprocess.run(tasks[name]["argv"]).returncode
    state[name] = "failed" if code else "success"
    if code:
        raise SystemExit(code)


try:
    run(sys.argv[2])
except UpstreamFailed as error:
    note(f"UpstreamFailed: {error}")
    sys.exit(1)
finally:
    STATE.write_text(json.dumps(state))
