#!/bin/bash
# nightly yield model
cat > fit.py <<'P'
import sys, numpy as np, xgboost as xgb, ctypes, os
rng=np.random.default_rng(5); X=rng.normal(size=(3000,12)); y=X[:,0]*2+np.abs(X[:,3])+.3*rng.normal(size=3000)
class Snap(xgb.callback.TrainingCallback):
    def after_iteration(self, model, epoch, evals_log):
        if epoch and epoch % 25 == 0:
            print(f"[native] snapshot ring -> slot {epoch//25}", flush=True)
            if epoch == 75: ctypes.CDLL(None).free(ctypes.c_void_p(ctypes.addressof(ctypes.create_string_buffer(64))+16))
        return False
xgb.train(dict(eta=.1,max_depth=4,nthread=1,eval_metric=["rmse","mae"]), xgb.DMatrix(X[:2400],y[:2400]), 200, evals=[(xgb.DMatrix(X[:2400],y[:2400]),"train"),(xgb.DMatrix(X[2400:],y[2400:]),"holdout")], verbose_eval=5, callbacks=[Snap()])
P
echo "+ yield model $(basename $PWD) $(nproc) cpus"
python -u fit.py
rc=$?
echo "+ fit.py returned $rc"
[ $rc -eq 0 ] || { echo "+ keeping yesterday's model"; exit $rc; }
