import json
import os
import sys
import threading
import time
import traceback

import numpy as np


class Pulse(threading.Thread):
    """Looks whether somebody still calls beat()."""

    def __init__(self, limit):
        super().__init__(daemon=True, name="pulse")
        self.limit, self.at, self.what = limit, time.monotonic(), "start"

    def beat(self, what):
        self.at, self.what = time.monotonic(), what

    def run(self):
        while True:
            time.sleep(0.5)
            quiet = time.monotonic() - self.at
            if quiet > self.limit:
                print(json.dumps({"level": "critical", "msg": "flatline", "quiet_s": round(quiet, 1), "last_beat": self.what}), flush=True)
                for ident, frame in sys._current_frames().items():
                    name = {t.ident: t.name for t in threading.enumerate()}.get(ident)
                    stack = [f"{os.path.basename(f.filename)}:{f.lineno}:{f.name}" for f in traceback.extract_stack(frame)]
                    print(json.dumps({"level": "critical", "msg": "stack", "thread": name, "frames_of_stack": stack}), flush=True)
                os._exit(70)


class Simulator:
    def __init__(self, seed):
        self.rng, self.ready, self.n = np.random.default_rng(seed), threading.Condition(), 0

    def step(self, action):
        self.n += 1
        with self.ready:
            while self.n == 412:  # physics thread never answers this one
                self.ready.wait()
        return self.rng.normal(size=4) + action, float(self.rng.normal() - abs(action))


pulse, sim, theta = Pulse(4), Simulator(1), np.zeros(4)
pulse.start()
obs, frames, ret = np.zeros(4), 0, 0.0
while frames < 5000:
    noise = np.random.default_rng(frames).normal(size=4) * 0.1
    pulse.beat(f"env.step {frames}")
    obs, reward = sim.step(float((theta + noise) @ obs))
    theta += 0.001 * reward * noise
    ret = 0.99 * ret + reward
    frames += 1
    time.sleep(0.004)
    if frames % 20 == 0:
        print(json.dumps({"level": "info", "msg": "progress", "frames": frames, "return": round(ret, 3), "t": round(time.time(), 2)}), flush=True)
