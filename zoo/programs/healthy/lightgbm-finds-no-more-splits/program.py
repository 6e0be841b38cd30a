import lightgbm as lgb
import numpy as np
import pandas as pd

rng = np.random.default_rng(17)
x = pd.DataFrame({"age": rng.integers(18, 80, 260), "visits": rng.poisson(3, 260), "always_one": 1, "plan": pd.Categorical(rng.choice(list("abc"), 260))})
y = (x.visits + (x.plan == "b") * 2 + rng.normal(size=260) > 4).astype(int)
train = lgb.Dataset(x[:180], y[:180])
valid = lgb.Dataset(x[180:], y[180:], reference=train)
params = {"objective": "binary", "metric": ["binary_logloss", "auc"], "min_data_in_leaf": 25, "num_leaves": 63, "learning_rate": 0.08, "num_threads": 1}
booster = lgb.train(params, train, 200, valid_sets=[valid], callbacks=[lgb.log_evaluation(10), lgb.early_stopping(25)])
booster.save_model("plan.txt", num_iteration=booster.best_iteration)
print(f"saved plan.txt with {booster.best_iteration} trees, auc {booster.best_score['valid_0']['auc']:.3f}")
