"""Extracts features in worker processes, then fits a model."""
import ctypes

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import Ridge


def spectrum(number):
    rng = np.random.default_rng(number)
    wave = rng.normal(size=256)
    if number == 77:  # the native filter is handed a bad pointer
        return ctypes.string_at(16, 64)
    return np.abs(np.fft.rfft(wave))[:32]


for fold in range(3):
    rows = Parallel(n_jobs=2, verbose=5)(delayed(spectrum)(n) for n in range(fold * 30, fold * 30 + 30))
    table = np.array(rows)
    model = Ridge().fit(table, table.sum(axis=1))
    print(f"fold {fold}: r2 {model.score(table, table.sum(axis=1)):.4f}", flush=True)
