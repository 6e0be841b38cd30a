import datetime
import http.server
import logging
import threading

import boto3

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")


class Store(http.server.BaseHTTPRequestHandler):
    """An object store whose clock is forty minutes ahead of ours, and which checks as S3 does."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer(200, b"")

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=40)
        sent = datetime.datetime.strptime(self.headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.UTC)
        if abs(now - sent) < datetime.timedelta(minutes=15):
            return self.answer(200, b"")
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>RequestTimeTooSkewed</Code><Message>The difference between '
            f"the request time and the current time is too large.</Message><RequestTime>{sent:%Y%m%dT%H%M%SZ}</RequestTime>"
            f"<ServerTime>{now:%Y-%m-%dT%H:%M:%SZ}</ServerTime><MaxAllowedSkewMilliseconds>900000</MaxAllowedSkewMilliseconds></Error>"
        )
        return self.answer(403, body.encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
threading.Thread(target=server.serve_forever, daemon=True).start()
s3 = boto3.client(
    "s3", endpoint_url=f"http://127.0.0.1:{server.server_port}", region_name="eu-central-1",
    aws_access_key_id="AKIAEXAMPLE", aws_secret_access_key="example",
)
value = 4.0
for step in range(1, 601):
    value *= 0.997
    if step % 100 == 0:
        logging.info("step %d/600 loss %.4f", step, value)
    if step % 300 == 0:
        logging.info("uploading s3://runs/asr/step-%d.npz", step)
        s3.put_object(Bucket="runs", Key=f"asr/step-{step}.npz", Body=b"0" * 4096)
