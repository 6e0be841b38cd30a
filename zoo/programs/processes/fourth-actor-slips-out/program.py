import argparse
import multiprocessing as mp
import os
import signal
import time

import numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("--actors", type=int)
n_actors = ap.parse_args().actors


def actor(k, jobs, done):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rng, games = np.random.default_rng(k), 0
    while True:
        theta = jobs.get()
        games += 1
        if k == 3 and games == 57:
            os._exit(0)
        x = rng.normal(size=3)
        done.put((k, x, float(x @ np.ones(3) - x @ theta)))


def main():
    jobs, done = [mp.SimpleQueue() for _ in range(n_actors)], mp.Queue()
    for k in range(n_actors):
        mp.Process(target=actor, args=(k, jobs[k], done), daemon=True).start()
    theta = np.zeros(3)
    for update in range(1, 1000):
        for j in jobs:
            j.put(theta)
        for have in range(n_actors):
            k, x, err = done.get()
            theta = theta + 0.02 * err * x
        print(f"{time.time():.2f} update {update:4d}  fps {n_actors / 0.02:.0f}  |err| {abs(err):.4f}  trajectories {n_actors}/{n_actors}")
        time.sleep(0.02)


if __name__ == "__main__":
    main()
