import warnings

from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.neural_network import MLPClassifier

x, y = load_digits(return_X_y=True)
train_x, test_x, train_y, test_y = train_test_split(x / 16, y, random_state=0)
search = GridSearchCV(MLPClassifier((24,), max_iter=15, random_state=0), {"alpha": [1e-4, 1e-2]}, cv=3, verbose=3)
search.fit(train_x, train_y)
print("best alpha", search.best_params_["alpha"])
net = MLPClassifier((48,), alpha=search.best_params_["alpha"], early_stopping=True, n_iter_no_change=6, max_iter=300, verbose=True, random_state=0)
net.fit(train_x, train_y)
print(f"test accuracy {net.score(test_x, test_y):.4f}")
