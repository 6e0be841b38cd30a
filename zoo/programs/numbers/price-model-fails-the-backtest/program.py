import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(19)
days = np.arange(900)
price = 80 + np.cumsum(rng.normal(0, 1.4, size=900))
X = np.column_stack([days, days % 7, np.sin(days / 58), rng.normal(size=(900, 4))])
history, future = days < 760, days >= 760

train, held = train_test_split(days[history], test_size=0.25, random_state=0)  # shuffles by default
print(f"{len(train)} days to fit, {len(held)} days held out, {future.sum()} days kept aside for the backtest")
for trees in (10, 40, 160, 320):
    model = RandomForestRegressor(trees, random_state=1).fit(X[train], price[train])
    print(f"trees={trees:<4d} r2(fit)={r2_score(price[train], model.predict(X[train])):.3f} r2(held out)={r2_score(price[held], model.predict(X[held])):.3f}")
print(f"backtest, the 140 days that follow: r2={r2_score(price[future], model.predict(X[future])):.3f}")
between = np.isin(held - 1, train) & np.isin(held + 1, train)
print(f"check: {np.isin(held - 1, train).sum()} of {len(held)} held-out days have the day before in the fit set, {between.sum()} lie between two fitted days -> the split is random in time, do not trust r2(held out)")
