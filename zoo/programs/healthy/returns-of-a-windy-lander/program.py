import numpy as np

rng = np.random.default_rng(28)
SHOW = "{:>5} | {:>9} | {:>9} | {:>8} | {:>6}"


def fly(theta, wind=1.0):
    h, v, x, total = 10.0, 0.0, rng.normal() * 2, 0.0
    for _ in range(60):
        gust = wind * rng.standard_t(2)
        thrust = 1 / (1 + np.exp(-(theta[0] + theta[1] * h + theta[2] * v)))
        side = np.tanh(theta[3] * x)
        v += -0.5 + thrust
        h += v * 0.3
        x += 0.3 * side + 0.1 * gust
        total -= 0.02 * abs(x) + 0.01 * thrust
        if h <= 0:
            return total + (10 if abs(v) < 1 and abs(x) < 2 else -10 - min(20, v * v))
    return total - 10


mean, std = np.zeros(4), np.full(4, 1.5)
print(SHOW.format("gen", "best", "mean ret", "worst", "eval"))
print("-" * 50)
for gen in range(1, 31):
    crowd = mean + std * rng.normal(size=(40, 4))
    score = np.array([fly(t) for t in crowd])
    elite = crowd[np.argsort(-score)[:8]]
    mean, std = elite.mean(0), elite.std(0) + 0.3 * 0.95**gen
    trial = np.mean([fly(mean) for _ in range(5)])
    print(SHOW.format(gen, f"{score.max():.2f}", f"{score.mean():.2f}", f"{score.min():.2f}", f"{trial:.2f}"))
print("-" * 50)
print(f"final policy, 200 flights: mean return {np.mean([fly(mean) for _ in range(200)]):.2f}, landed {np.mean([fly(mean) > 0 for _ in range(200)]):.0%}")
