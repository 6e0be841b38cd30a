import boto3
import numpy as np
from botocore.config import Config

sm = boto3.client("sagemaker", endpoint_url="http://127.0.0.1:5981", region_name="us-west-2", aws_access_key_id="AKIAEXAMPLE", aws_secret_access_key="y" * 40, config=Config(retries={"total_max_attempts": 3, "mode": "standard"}))
scores = []
for trial in range(40):
    lr = 10 ** np.random.default_rng(trial).uniform(-5, -2)
    sm.list_training_jobs(MaxResults=1)
    scores.append(abs(np.log10(lr) + 3.3))
    print(f"trial {trial:02d} lr {lr:.2e} objective {scores[-1]:.4f} best {min(scores):.4f}")
