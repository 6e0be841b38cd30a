import numpy as np

r = np.random.default_rng(0)
X = r.normal(size=(500, 12)) * [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 30, 30]
w = r.normal(size=12)
y = X @ w
b = np.zeros(12)
for k in range(30):
    g = X.T @ (X @ b - y) / 500
    b -= 0.003 * g
    print("iteration %d\tJ = %.6g\t|g| = %.4g" % (k, ((X @ b - y) ** 2).mean() / 2, np.linalg.norm(g)))
print("finished 30 iterations")
