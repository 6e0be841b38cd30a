import numpy as np
rng = np.random.default_rng(0)
x = rng.normal(size=(200, 8))
for step in range(1, 61):
    x += rng.normal(size=x.shape)
    if step == 47:
        x[3, 2] = np.nan
    if step % 10 == 0:
        print(f"step {step} whitening, mean {np.nanmean(x):.3f}", flush=True)
    np.linalg.svd(x)
