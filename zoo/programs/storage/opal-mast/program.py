import boto3, http.server, threading, pickle, numpy as np, warnings, logging, sys; warnings.simplefilter("ignore")
from botocore.config import Config
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(name)-18s %(levelname)-8s %(message)s"); log = logging.getLogger("lidarcomp"); puts = 0
class H(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        global puts; self.rfile.read(int(self.headers.get("Content-Length") or 0)); puts += 1
        if puts <= 5: self.send_response(200); self.send_header("ETag", '"a"'); self.send_header("Content-Length", "0"); self.end_headers(); return
        b = b'<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message><RequestId>0F3C</RequestId></Error>'; self.send_response(503); self.send_header("Content-Length", str(len(b))); self.end_headers(); self.wfile.write(b)
    def log_message(self, *a): pass
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), H); threading.Thread(target=s.serve_forever, daemon=True).start()
s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{s.server_port}", aws_access_key_id="x", aws_secret_access_key="y", region_name="eu-west-1", config=Config(retries={"max_attempts": 4, "mode": "legacy"}, request_checksum_calculation="when_required"))
r = np.random.default_rng(0); X = r.normal(size=(4000, 30))@r.normal(size=(30, 30)); W = r.normal(size=(30, 8))*.05; U = r.normal(size=(8, 30))*.05
log.info("linear AE 30->8, %d sweeps, snapshot every 60 steps to s3://lidar-exp/ae8/", len(X))
for t in range(1, 601):
    b = X[r.integers(0, 4000, 128)]; z = b@W; e = z@U-b; gU = z.T@e/128; gW = b.T@(e@U.T)/128; U -= .002*gU; W -= .002*gW
    if t % 15 == 0: log.info("step=%d recon=%.4f explained=%.3f", t, (e**2).mean(), 1-(e**2).mean()/(b**2).mean())
    if t % 60 == 0: s3.put_object(Bucket="lidar-exp", Key=f"ae8/{t:06d}.pkl", Body=pickle.dumps((W, U))); log.info("snapshot s3://lidar-exp/ae8/%06d.pkl", t)
