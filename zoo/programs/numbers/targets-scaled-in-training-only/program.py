import numpy as np
from sklearn.neural_network import MLPRegressor
from sklearn.metrics import r2_score, mean_squared_error as mse

r = np.random.default_rng(4)
X = r.normal(size=(1200, 8))
y = 300 + 80 * (X @ r.normal(size=8)) + r.normal(size=1200) * 5
a, b = slice(0, 900), slice(900, None)
ys = (y[a] - y[a].mean()) / y[a].std()
m = MLPRegressor(hidden_layer_sizes=(64,), max_iter=1, warm_start=True, random_state=0, learning_rate_init=5e-3)
import warnings

warnings.filterwarnings("ignore")
for e in range(1, 31):
    m.fit(X[a], ys)
    if e % 3 == 0:
        print(
            f"iter {e:>3}   RMSE train {mse(ys, m.predict(X[a])) ** 0.5:9.4f}   RMSE test {mse(y[b], m.predict(X[b])) ** 0.5:9.4f}   R2 train {r2_score(ys, m.predict(X[a])):7.4f}   R2 test {r2_score(y[b], m.predict(X[b])):7.4f}"
        )
