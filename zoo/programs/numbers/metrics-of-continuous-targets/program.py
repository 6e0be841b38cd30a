import numpy as np
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, f1_score

rng = np.random.default_rng(0)
x = rng.normal(size=(500, 8))
y = (x.sum(1) > 0).astype(int)
model = Ridge().fit(x[:400], y[:400])
print("fitted on 400 rows, R^2 %.3f" % model.score(x[:400], y[:400]))
pred = model.predict(x[400:])
print("accuracy", accuracy_score(y[400:], pred))
print("f1", f1_score(y[400:], pred))
