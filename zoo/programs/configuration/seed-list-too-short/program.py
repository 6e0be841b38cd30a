seeds = [1, 2, 3]
for run in range(5):
    print(f"run {run} seed {seeds[run]}", flush=True)
