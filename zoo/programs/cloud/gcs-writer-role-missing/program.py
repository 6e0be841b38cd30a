import numpy as np
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

bucket = storage.Client(project="vision-lab", credentials=AnonymousCredentials()).bucket("vision-runs")
print("earlier snapshots:", len(list(bucket.list_blobs(prefix="run-12/"))))
rng = np.random.default_rng(0)
w = np.zeros(6)
for step in range(1, 501):
    x = rng.normal(size=6)
    w -= 0.03 * (x @ w - x.sum()) * x
    if step % 50 == 0:
        print(f"step {step}: gap {abs(w - 1).max():.4f}")
    if step % 250 == 0:
        bucket.blob(f"run-12/{step}.npy").upload_from_string(w.tobytes())
        print(f"snapshot {step} uploaded")
