import lightgbm as lgb
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

rng = np.random.default_rng(90)
x = rng.normal(size=(700, 30))
x[:, 10:] *= 10 ** rng.uniform(0, 1.3, 20)
y = (x[:, 0] + 0.8 * x[:, 3] - x[:, 4] * x[:, 5] + 1.5 * rng.normal(size=700) > 0.5).astype(int)
scores = []
for k, (fit, held) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(x, y), 1):
    print(f"===== fold {k}/5 =====")
    tree = lgb.train({"objective": "binary", "metric": "auc", "min_data_in_leaf": 45, "num_leaves": 63, "learning_rate": 0.07, "seed": 1}, lgb.Dataset(x[fit], y[fit]), 60, valid_sets=[lgb.Dataset(x[held], y[held])], callbacks=[lgb.early_stopping(15, verbose=True), lgb.log_evaluation(20)])
    line = LogisticRegression(max_iter=15).fit(x[fit], y[fit])
    a, b = tree.predict(x[held]), line.predict_proba(x[held])[:, 1]
    scores.append([roc_auc_score(y[held], p) for p in (a, b, 0.7 * a + 0.3 * b)])
    print("fold %d: auc trees %.4f, linear %.4f, blend %.4f" % (k, *scores[-1]))
print("mean over folds: trees %.4f, linear %.4f, blend %.4f (std %.4f)" % (*np.mean(scores, 0), np.std(scores, 0)[2]))
