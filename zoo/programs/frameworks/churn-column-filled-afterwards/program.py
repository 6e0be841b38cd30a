import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

rng = np.random.default_rng(31)
n = 4000
base = pd.DataFrame({f"usage_{i}": rng.gamma(2, 3, n) for i in range(8)})
base["tenure"] = rng.integers(1, 72, n)
churn = (rng.random(n) < 1 / (1 + np.exp(2.2 - 0.12 * base.usage_0 + 0.02 * base.tenure))).astype(int)
frame = base.assign(last_contact_reason=np.where(churn == 1, rng.integers(5, 9, n), rng.integers(0, 5, n)))
fit, held = frame[:3000], frame[3000:]
train, valid = lgb.Dataset(fit, churn[:3000]), lgb.Dataset(held, churn[3000:])
booster = lgb.train({"objective": "binary", "metric": ["auc", "binary_logloss"], "learning_rate": 0.1, "verbosity": -1}, train, 40, valid_sets=[valid], valid_names=["holdout"], callbacks=[lgb.log_evaluation(5)])
print("\ntop features by gain")
gain = booster.feature_importance("gain")
for i in np.argsort(-gain)[:4]:
    print(f"  {frame.columns[i]:<22s}{100 * gain[i] / gain.sum():6.2f} %")
# the scoring service knows customers before anybody has called them
live = held.assign(last_contact_reason=0)
score = roc_auc_score(churn[3000:], booster.predict(live))
print(f"\nshadow run on the scoring service, same 1000 customers: auc={score:.3f} (holdout said {roc_auc_score(churn[3000:], booster.predict(held)):.3f})")
print("last_contact_reason is written by the retention team AFTER a cancellation, it gives the label away")
