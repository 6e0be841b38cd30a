import time
from tqdm import tqdm
w = 5.0
for step in (bar := tqdm(range(300), desc="train")):
    w -= 0.02 * w
    bar.set_postfix(loss=f"{w * w:.4f}")
    time.sleep(0.002)
