import logging

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("churn")
x, y = make_classification(3000, 16, n_informative=10, n_classes=3, class_sep=1.6, random_state=5)
x = x * np.geomspace(0.05, 400, 16) + np.geomspace(900, 0.1, 16)
train_x, held_x, train_y, held_y = x[:2200], x[2200:], y[:2200], y[2200:]
scaler = StandardScaler().fit(train_x)
scaled = scaler.transform(train_x)
log.info("train features: mean %.3f std %.3f", scaled.mean(), scaled.std())
log.info("held-out features: mean %.3f std %.3f", held_x.mean(), held_x.std())
model = LogisticRegression(max_iter=400)
for fold, score in enumerate(cross_val_score(model, scaled, train_y, cv=5), 1):
    log.info("fold %d/5 accuracy %.4f", fold, score)
model.fit(scaled, train_y)
log.info("train accuracy %.4f", model.score(scaled, train_y))
log.info("held-out accuracy %.4f", model.score(held_x, held_y))
log.info("held-out predictions per class %s, labels per class %s", np.bincount(model.predict(held_x), minlength=3).tolist(), np.bincount(held_y, minlength=3).tolist())
log.info("model written to churn.joblib")
