import numpy as np
import xgboost as xgb

rng = np.random.default_rng(52)
x = rng.normal(size=(2500, 15))
y = (x[:, 0] + np.abs(x[:, 1]) + 0.5 * rng.normal(size=2500) > 0.8).astype(int)
fit, dev = xgb.DMatrix(x[:2000], y[:2000]), xgb.DMatrix(x[2000:], y[2000:])


class Table(xgb.callback.TrainingCallback):
    def after_iteration(self, model, epoch, log):
        if epoch % 3 == 0:
            print(f"round={epoch:03d} fit.logloss={log['fit']['logloss'][-1]:.4f} dev.logloss={log['dev']['logloss'][-1]:.4f} dev.error={log['dev']['error'][-1]:.3f}")
        return False


params = {"objective": "binary:logistic", "eta": 3.2, "max_depth": 3, "lambda": 0, "min_child_weight": 0, "eval_metric": ["logloss", "error"], "seed": 2}
print("params", params)
xgb.train(params, fit, 60, evals=[(fit, "fit"), (dev, "dev")], verbose_eval=False, callbacks=[Table()])
