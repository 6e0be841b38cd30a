import math
import sys
import time

mean, spread = 4.0, 3.0
for step in range(10, 5000, 10):
    mean, spread = mean * 0.98, spread + (1 - spread) * 0.02
    kl = 0.5 * (spread**2 + mean**2 - 1 - 2 * math.log(spread))
    sys.stdout.write(f"step={step} kl=")
    sys.stdout.flush()
    time.sleep(0.06)
    sys.stdout.write(f"{kl:.5f} mean={mean:.4f} spread={spread:.4f}\n")
    sys.stdout.flush()
