def schedule(step, warmup):
    return step / warmup
warmup = 0
print(f"warmup {warmup} steps")
schedule(1, warmup)
