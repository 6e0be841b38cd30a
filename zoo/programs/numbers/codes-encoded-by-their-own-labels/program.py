import numpy as np, warnings

warnings.filterwarnings("ignore")
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

r = np.random.default_rng(0)
n = 3000
X = r.normal(size=(n, 6))
y = (X[:, 0] + r.normal(size=n) * 2 > 0).astype(int)
code = r.integers(0, 1400, size=n)
enc = np.array([y[code == c].mean() if (code == c).any() else 0.5 for c in range(1400)])
Z = np.c_[X, enc[code]]
sc = []
for k, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(Z, y)):
    m = GradientBoostingClassifier(n_estimators=60).fit(Z[a], y[a])
    s = roc_auc_score(y[b], m.predict_proba(Z[b])[:, 1])
    sc.append(s)
    print(f"fold {k}: train auc {roc_auc_score(y[a], m.predict_proba(Z[a])[:, 1]):.4f}  valid auc {s:.4f}")
print(f"CV auc {np.mean(sc):.4f} +/- {np.std(sc):.4f}")
m = GradientBoostingClassifier(n_estimators=60).fit(Z, y)
X2 = r.normal(size=(900, 6))
y2 = (X2[:, 0] + r.normal(size=900) * 2 > 0).astype(int)
e2 = enc[r.integers(0, 1400, size=900)]
print(f"october extract, 900 rows: auc {roc_auc_score(y2, m.predict_proba(np.c_[X2, e2])[:, 1]):.4f}")
