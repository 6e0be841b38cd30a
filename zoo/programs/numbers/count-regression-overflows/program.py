import numpy as np
from scipy.linalg import solve

rng = np.random.default_rng(2)
rows = 1500
tenure = rng.integers(0, 48, rows)
spend = rng.gamma(2.0, 90.0, rows)
calls = rng.poisson(np.exp(5.4 + 0.04 * tenure + 0.002 * spend))
x = np.column_stack([np.ones(rows), tenure, spend])
beta = np.zeros(3)  # far from the logarithm of a mean of some hundred
print("poisson regression by reweighted least squares")
for it in range(1, 61):
    mean = np.exp(x @ beta)
    deviance = 2 * np.sum(mean - calls * (x @ beta))
    print(f"iteration {it:2d}  deviance {deviance:.5g}  beta {np.array2string(beta, precision=4)}")
    weighted = x.T @ (mean[:, None] * x)
    beta = beta + solve(weighted, x.T @ (calls - mean), assume_a="pos")
print("converged")
