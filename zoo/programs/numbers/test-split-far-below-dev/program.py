import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score

rng = np.random.default_rng(2)
people = rng.normal(size=(60, 20))
label = rng.integers(0, 2, 60)
rows = np.repeat(np.arange(60), 20)
x = people[rows] + rng.normal(scale=0.05, size=(1200, 20))
y = label[rows]
order = rng.permutation(1200)
train, dev = order[:1000], order[1000:]
new_people = rng.normal(size=(60, 20))
new_label = rng.integers(0, 2, 60)
for trees in (10, 50, 100, 200):
    model = RandomForestClassifier(trees, random_state=0).fit(x[train], y[train])
    print(f"trees={trees} train_acc={model.score(x[train], y[train]):.4f} dev_acc={model.score(x[dev], y[dev]):.4f}")
print(f"unseen_users_test_acc={accuracy_score(new_label, model.predict(new_people)):.4f}")
