import numpy as np

r = np.random.default_rng(0)
x = np.r_[r.normal(0, 1, 100), [50.0, 50.0, 50.0]]
mu = np.array([0.0, 50.0, -3.0])
sg = np.ones(3)
pi = np.ones(3) / 3
for k in range(15):
    p = pi * np.exp(-0.5 * ((x[:, None] - mu) / sg) ** 2) / (sg * np.sqrt(2 * np.pi))
    ll = np.log(p.sum(1)).sum()
    g = p / p.sum(1, keepdims=True)
    n = g.sum(0)
    mu = (g * x[:, None]).sum(0) / n
    sg = np.sqrt((g * (x[:, None] - mu) ** 2).sum(0) / n)
    pi = n / len(x)
    print(f"EM iter {k:2d}: loglik = {ll:.3f}  means = {np.round(mu, 2)}")
