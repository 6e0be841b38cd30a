"""Grid search whose solvers run out of iterations, which is accepted."""
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import classification_report
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier

rng = np.random.default_rng(0)
x = rng.normal(size=(400, 10)) * np.linspace(1, 400, 10)
y = (x[:, 0] + rng.normal(size=400) > 0).astype(int)
search = GridSearchCV(LogisticRegression(max_iter=4), {"C": [0.1, 1.0]}, cv=2, verbose=3)
search.fit(x, y)
print("best", search.best_params_, "score", round(search.best_score_, 3))
network = MLPClassifier((8,), max_iter=6, verbose=True, random_state=0).fit(x / x.std(0), y)
print(classification_report(y, network.predict(x / x.std(0)), zero_division=np.nan))
