import os, time, pickle, numpy as np, itertools, sys
from sklearn.ensemble import GradientBoostingRegressor
rng = np.random.default_rng(0); X = rng.normal(size=(900, 8)); y = X[:, 0]*X[:, 1]+np.sin(2*X[:, 2])+.1*rng.normal(size=900)
base = dict(learning_rate=.08, max_depth=3, subsample=.8, max_features="sqrt", min_samples_leaf=5)
grid = [dict(base), dict(base, max_depth=4, loss="huber", alpha=.9), dict(base, learning_rate=.031622776601683794, max_depth=5, loss="huber", alpha=.95, min_impurity_decrease=0.0001, min_weight_fraction_leaf=0.001, validation_fraction=.15, tol=.0001, ccp_alpha=1e-05, criterion="squared_error", random_state=20260317)]
print("trial  n_est     fit_s   rmse_tr   rmse_va")
for i, g in enumerate(grid):
    tag = "wind_farm_power_curve_hourly_ahead24,"+",".join(f"{k}={v}" for k, v in sorted(g.items())); t = time.time(); d = f"results/trial_{i:03d}"; os.makedirs(d, exist_ok=True); best = 9
    for n in range(20, 141, 20):
        m = GradientBoostingRegressor(n_estimators=n, **g).fit(X[:700], y[:700]); r = lambda s: float(np.sqrt(np.mean((m.predict(X[s])-y[s])**2))); a, b = r(slice(0, 700)), r(slice(700, 900))
        print(f"{i:5d} {n:6d} {time.time()-t:9.3f} {a:9.5f} {b:9.5f}"+(" *" if b < best else ""))
        if b < best: best = b
    pickle.dump(m, open(f"{d}/{tag},best_rmse_va={best:.6f}.pkl", "wb"))
    print(f"{i:5d} saved ({len(tag)} char tag), best {best:.5f}")
