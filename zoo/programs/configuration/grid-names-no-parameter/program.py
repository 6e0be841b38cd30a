"""Two grid searches, one after the other."""
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(2)
x = rng.normal(size=(300, 5))
y = (x[:, 0] + 0.3 * rng.normal(size=300) > 0).astype(int)
searches = {
    "forest": (RandomForestClassifier(random_state=0), {"n_estimators": [5, 10], "max_depth": [2, 4]}),
    "linear": (make_pipeline(StandardScaler(), LogisticRegression()), {"logisticregression__c": [0.1, 1, 10]}),
}
for name, (estimator, grid) in searches.items():
    search = GridSearchCV(estimator, grid, cv=3, verbose=2).fit(x, y)
    print(f">>> {name}: best {search.best_params_} score {search.best_score_:.3f}", flush=True)
