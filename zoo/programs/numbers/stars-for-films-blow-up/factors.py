import numpy as np


class NotConverging(ArithmeticError):
    """Raised when the fit is worse than predicting the mean."""


class Factors:
    def __init__(self, users, films, rank, rate, seed=0):
        r = np.random.default_rng(seed)
        self.u, self.f = r.normal(size=(users, rank)) * 0.3, r.normal(size=(films, rank)) * 0.3
        self.rate, self.mean = rate, 0.0

    def sweep(self, u, f, stars):
        for i in np.array_split(np.arange(len(u)), 60):
            e = (self.u[u[i]] * self.f[f[i]]).sum(1) + self.mean - stars[i]
            gu, gf = e[:, None] * self.f[f[i]], e[:, None] * self.u[u[i]]
            np.add.at(self.u, u[i], -self.rate * np.tanh(gu / 50) * 50)
            np.add.at(self.f, f[i], -self.rate * np.tanh(gf / 50) * 50)
        return float(np.sqrt(np.mean(((self.u[u] * self.f[f]).sum(1) + self.mean - stars) ** 2)))
