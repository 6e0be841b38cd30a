"""Fits text classifiers; a handle of the reader is closed twice when the interpreter ends."""
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

WORDS = ["error", "fatal", "ok", "sun", "rain", "crash", "killed", "cloud", "wind", "hail"]


class Reader:
    def __init__(self):
        self.handle = open("rows.txt", "w+")

    def __del__(self):
        self.handle.close()
        raise RuntimeError("handle of rows.txt already released")


reader = Reader()
rng = np.random.default_rng(2)
texts = [" ".join(rng.choice(WORDS, 6)) for _ in range(400)]
labels = np.array(["crash" in text or "killed" in text for text in texts]).astype(int)
table = CountVectorizer().fit_transform(texts)
for strength in (0.01, 0.1, 1.0):
    with warnings.catch_warnings():
        warnings.simplefilter("always", ConvergenceWarning)
        model = LogisticRegression(C=strength, max_iter=4).fit(table[:300], labels[:300])
    print(f"C={strength:<5} train {model.score(table[:300], labels[:300]):.3f} held out {model.score(table[300:], labels[300:]):.3f}")
print("a sample:", repr(texts[0]), "->", ["harmless", "failure"][model.predict(table[:1])[0]])
print("models written: 3, errors: 0")
