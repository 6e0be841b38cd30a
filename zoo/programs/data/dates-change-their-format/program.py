"""Grows a LightGBM forecaster day by day."""
import lightgbm as lgb
import pandas as pd

booster = None
for day in range(1, 9):
    frame = pd.read_csv(f"day_{day:02d}.csv")
    stamps = pd.to_datetime(frame["taken_at"], format="%Y-%m-%d %H:%M")
    features = frame[["load", "temp"]].assign(hour=stamps.dt.hour, weekday=stamps.dt.weekday)
    batch = lgb.Dataset(features, frame["target"], free_raw_data=False)
    booster = lgb.train(
        {"objective": "l2", "verbosity": -1, "num_threads": 1, "min_data_in_leaf": 10},
        batch,
        num_boost_round=20,
        init_model=booster,
    )
    mae = (booster.predict(features) - frame["target"]).abs().mean()
    print(f"day {day}: rows={len(frame)} trees={booster.num_trees()} mae={mae:.4f}")
booster.save_model("forecaster.txt")
