import logging
import time

import boto3
import numpy as np

logging.basicConfig(level=logging.INFO, format="[%(asctime)s] %(levelname)s: %(message)s")
s3 = boto3.client("s3", endpoint_url="http://127.0.0.1:5978", region_name="us-east-1", aws_access_key_id="ASIAEXAMPLEKEY", aws_secret_access_key="x" * 40, aws_session_token="FwoGZXIvYXdzEXAMPLE")
rng = np.random.default_rng(0)
for shard in range(6):
    raw = s3.get_object(Bucket="corpus", Key=f"shards/{shard:05d}.bin")["Body"].read()
    logging.info("shard %d: %d bytes, mean %.3f", shard, len(raw), np.frombuffer(raw, dtype=np.uint8).mean())
    time.sleep(0.2)
