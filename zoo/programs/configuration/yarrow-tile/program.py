import argparse, yaml, time
a = argparse.ArgumentParser(); a.add_argument("-c"); a = a.parse_args()
print(r"""   ___        _
  / __|___ __| |_
 | (_ / -_|_-<  _|   v2.8.1  (git 41f0c9d, dirty)
  \___\___/__/\__|""")
print(f"Reading {a.c}", flush=True); cfg = yaml.safe_load(open(a.c)); print("Experiment", cfg["experiment"])
