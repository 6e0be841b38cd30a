import http.server
import json
import logging
import sys
import threading

import boto3
from botocore.exceptions import ClientError

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s [%(levelname)s] %(name)s: %(message)s")
logging.getLogger("botocore").setLevel(logging.WARNING)
log = logging.getLogger("translator")
ROLE = "arn:aws:sts::481516234200:assumed-role/train-nodes/i-0ab5"
KEY = "arn:aws:kms:eu-west-1:481516234200:key/0c5e1f2a-7777-4b1c-9d10-aaaabbbbcccc"


class Bucket(http.server.BaseHTTPRequestHandler):
    """Answers a write as S3 does when the caller has no right to the bucket's key."""

    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>User: ' + ROLE + " is not authorized to "
            "perform: kms:GenerateDataKey on resource: " + KEY + " because no identity-based policy allows the kms:GenerateDataKey "
            "action</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>"
        ).encode()
        self.send_response(403)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
threading.Thread(target=server.serve_forever, daemon=True).start()
s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{server.server_port}", region_name="eu-west-1", aws_access_key_id="AKIAEXAMPLE", aws_secret_access_key="example")
table = {}
for step in range(1, 2001):
    table[step % 97] = table.get(step % 97, 0.0) * 0.9 + 1 / step
    if step % 250 == 0:
        log.info("global step %d, nll %.4f", step, sum(table.values()) / len(table))
    if step % 1000 == 0:
        for key in (f"mt/step-{step}/state.json", f"mt/step-{step}/state.json"):
            try:
                s3.put_object(Bucket="acme-models", Key=key, Body=json.dumps(table).encode())
                break
            except ClientError as error:
                log.error("put of %s failed: %s", key, error)
        else:
            log.error("step %d could not be stored, stopping so that no more work is lost", step)
            sys.exit(3)
