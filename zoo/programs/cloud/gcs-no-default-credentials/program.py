import numpy as np
from google.cloud import storage

rng = np.random.default_rng(0)
print("epoch;loss")
for epoch in range(3):
    print(f"{epoch};{0.9 ** epoch + 0.01 * rng.random():.4f}")
print("exporting embeddings to gs://embeddings-prod/v3/")
storage.Client(project="reco").bucket("embeddings-prod").blob("v3/emb.npy").upload_from_string(b"x")
