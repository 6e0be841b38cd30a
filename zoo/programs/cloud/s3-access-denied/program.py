import json
import os
import sys

import boto3
import botocore.exceptions
import numpy as np

URL = "http://127.0.0.1:5977"


def client(service, key, secret):
    return boto3.client(service, endpoint_url=URL, region_name="us-east-1", aws_access_key_id=key, aws_secret_access_key=secret)


if "--prepare" in sys.argv:  # a user who may list and read, and nothing else
    iam = client("iam", "test", "test")
    iam.create_user(UserName="trainer")
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:GetObject", "s3:ListBucket"], "Resource": "*"}]}
    iam.put_user_policy(UserName="trainer", PolicyName="read", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName="trainer")["AccessKey"]
    client("s3", "test", "test").create_bucket(Bucket="ckpt-bucket")
    json.dump([key["AccessKeyId"], key["SecretAccessKey"]], open("key.json", "w"))
    raise SystemExit
s3 = client("s3", *json.load(open("key.json")))
rng = np.random.default_rng(1)
w = np.zeros(8)
print("bucket reachable:", s3.list_objects_v2(Bucket="ckpt-bucket")["KeyCount"], "objects")
for epoch in range(1, 6):
    for _ in range(100):
        x = rng.normal(size=8)
        w -= 0.02 * (x @ w - x.sum()) * x
    print(f"epoch {epoch} |w - 1| = {np.abs(w - 1).max():.5f}")
    if epoch == 2:
        np.save("w.npy", w)
        s3.upload_file("w.npy", "ckpt-bucket", f"runs/7/w_{epoch}.npy")
