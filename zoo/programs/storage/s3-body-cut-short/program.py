import http.server
import threading

import boto3


class Short(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(b"x" * 40000)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Short)
threading.Thread(target=server.serve_forever, daemon=True).start()
s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{server.server_port}", region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
print("downloading checkpoint s3://models/runs/41/step-900.pt")
body = s3.get_object(Bucket="models", Key="runs/41/step-900.pt")["Body"].read()
print(len(body))
