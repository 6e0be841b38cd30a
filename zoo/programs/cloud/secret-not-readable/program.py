"""Reads a database password before the first epoch."""
import json
import logging
import sys

import boto3
import numpy as np

URL = "http://127.0.0.1:5983"


def client(service, key="test", secret="test"):
    return boto3.client(service, endpoint_url=URL, region_name="eu-west-1", aws_access_key_id=key, aws_secret_access_key=secret)


if "--prepare" in sys.argv:  # a user who may use S3 and nothing else
    iam = client("iam")
    iam.create_user(UserName="forecast-job")
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    iam.put_user_policy(UserName="forecast-job", PolicyName="buckets", PolicyDocument=json.dumps(policy))
    made = iam.create_access_key(UserName="forecast-job")["AccessKey"]
    client("secretsmanager").create_secret(Name="warehouse/reader", SecretString="hunter")
    json.dump([made["AccessKeyId"], made["SecretAccessKey"]], open("key.json", "w"))
    raise SystemExit
logging.basicConfig(level=logging.INFO, format="%(levelname)-7s %(name)s - %(message)s")
log = logging.getLogger("forecast")
keys = json.load(open("key.json"))
log.info("buckets visible: %d", len(client("s3", *keys).list_buckets()["Buckets"]))
log.info("fetching warehouse credentials")
password = client("secretsmanager", *keys).get_secret_value(SecretId="warehouse/reader")["SecretString"]
w = np.zeros(4)
for epoch in range(5):
    x = np.random.default_rng(epoch).normal(size=(50, 4))
    w -= 0.1 * x.T @ (x @ w - x.sum(1)) / 50
    log.info("epoch %d err %.3f", epoch, abs(w - 1).max())
