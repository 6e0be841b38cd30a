import http.server
import threading

import boto3


class Empty(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_response(404)
        self.end_headers()

    def do_GET(self):
        body = b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>runs/41/last.pt</Key></Error>"
        self.send_response(404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Empty)
threading.Thread(target=server.serve_forever, daemon=True).start()
s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{server.server_port}", region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
print("fetching s3://models/runs/41/last.pt")
body = s3.get_object(Bucket="models", Key="runs/41/last.pt")["Body"].read()
print(len(body))
