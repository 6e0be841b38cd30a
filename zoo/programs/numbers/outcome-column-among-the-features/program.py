import lightgbm as lgb
import numpy as np
import pandas as pd

rng = np.random.default_rng(21)


def month(rows, known):
    frame = pd.DataFrame(rng.normal(size=(rows, 6)), columns=[f"f{n}" for n in range(6)])
    late = (frame.f0 + frame.f1 * frame.f2 + rng.normal(size=rows) * 1.5 > 0.6).astype(int)
    frame["days_overdue"] = late * rng.integers(1, 60, rows) if known else 0  # only filled in afterwards
    return frame, late


x, y = month(4000, True)
train, valid = lgb.Dataset(x[:3000], y[:3000]), lgb.Dataset(x[3000:], y[3000:])
params = {"objective": "binary", "metric": "auc", "learning_rate": 0.1, "num_leaves": 15, "num_threads": 1, "verbosity": 1}
booster = lgb.train(params, train, 60, valid_sets=[train, valid], valid_names=["train", "valid"], callbacks=[lgb.log_evaluation(5)])
share = booster.feature_importance("gain")
for name, gain in sorted(zip(x.columns, share / share.sum()), key=lambda pair: -pair[1]):
    print(f"importance {name:<14} {gain:7.2%}")
new_x, new_y = month(1500, False)
score = booster.predict(new_x)
order = score.argsort().argsort() + 1
positive = int(new_y.sum())
auc = (order[new_y == 1].sum() - positive * (positive + 1) / 2) / (positive * (len(new_y) - positive))
print(f"backtest: october (unseen) auc {auc:.4f}, expected about {booster.best_score['valid']['auc']:.4f}")
