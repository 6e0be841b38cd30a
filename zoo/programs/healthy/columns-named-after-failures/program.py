"""Predicts tickets from counts of what went wrong with a service."""
import logging

import lightgbm as lgb
import numpy as np
import pandas as pd

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S")
rng = np.random.default_rng(6)
names = ["failed_logins", "error_500", "timeout_count", "oom_kills", "nan_readings", "segfaults"]
table = pd.DataFrame(rng.poisson(3, size=(3000, 6)), columns=names)
table["constant_error_flag"] = 1
target = table["failed_logins"] + 2 * table["oom_kills"] + rng.normal(size=3000)
logging.warning("column constant_error_flag holds one value only")
train = lgb.Dataset(table[:2400], target[:2400])
valid = train.create_valid(table[2400:], target[2400:])
model = lgb.train(
    {"objective": "l2", "num_threads": 1, "learning_rate": 0.1, "metric": "l2"},
    train,
    num_boost_round=100,
    valid_sets=[valid],
    valid_names=["held_out"],
    callbacks=[lgb.log_evaluation(20), lgb.early_stopping(15)],
)
for name, gain in sorted(zip(table.columns, model.feature_importance("gain")), key=lambda pair: -pair[1]):
    logging.info("importance of %s: %.0f", name, gain)
logging.info("error on held-out rows %.4f, model kept", float(np.mean((model.predict(table[2400:]) - target[2400:]) ** 2)))
