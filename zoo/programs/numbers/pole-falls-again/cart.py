import math

import torch


class Carts:
    """Many carts with a pole, after Barto, Sutton and Anderson (1983)."""

    def __init__(self, n):
        self.n = n

    def reset(self):
        self.s = torch.rand(self.n, 4) * 0.1 - 0.05
        return self.s

    def step(self, a):
        x, v, th, w = self.s.T
        f = torch.where(a > 0, 10.0, -10.0)
        c, s = th.cos(), th.sin()
        t = (f + 0.05 * w**2 * s) / 1.1
        wa = (9.8 * s - c * t) / (0.5 * (4 / 3 - 0.1 * c**2 / 1.1))
        xa = t - 0.05 * wa * c / 1.1
        self.s = torch.stack([x + 0.02 * v, v + 0.02 * xa, th + 0.02 * w, w + 0.02 * wa], 1)
        return self.s, (self.s[:, 0].abs() > 2.4) | (self.s[:, 2].abs() > 12 * math.pi / 180)
