import numpy as np

rng = np.random.default_rng(3)
size, length = 16, 40
w = rng.normal(0, 1.35 / np.sqrt(size), (size, size))
u, v = rng.normal(0, 0.3, (size, 1)), rng.normal(0, 0.3, (1, size))
for step in range(1, 401):
    xs = rng.normal(size=(length, 1))
    target = xs.sum() / 4
    hs = [np.zeros((size, 1))]
    with np.errstate(all="ignore"):
        for x in xs:
            hs.append(np.maximum(w @ hs[-1] + u * x, 0))  # nothing bounds the state
        out = (v @ hs[-1]).item()
        loss = (out - target) ** 2
        back = v.T * 2 * (out - target)
        dw, du, dv = np.zeros_like(w), np.zeros_like(u), 2 * (out - target) * hs[-1].T
        for t in range(length, 0, -1):
            back = back * (hs[t] > 0)
            dw += back @ hs[t - 1].T
            du += back * xs[t - 1]
            back = w.T @ back
        norm = np.sqrt((dw**2).sum() + (du**2).sum() + (dv**2).sum())
        rate = 2e-7 * 1.06**step  # the warm-up was never given an end
        w, u, v = w - rate * dw, u - rate * du, v - rate * dv
    if step % 5 == 0:
        print(f"step {step} loss={loss:.4e} grad_norm={norm:.4e}", flush=True)
