import http.server
import threading
import time
import urllib.error
import urllib.request

import numpy as np

次数 = {}


class 服务(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        次数[self.path] = 次数.get(self.path, 0) + 1
        if 次数[self.path] < {"/2": 3, "/5": 4}.get(self.path, 1):
            self.send_error(503 if self.path == "/2" else 429)
            return
        data = np.random.default_rng(int(self.path[1:])).normal(size=300).tobytes()
        self.send_response(200); self.send_header("Content-Length", str(len(data))); self.end_headers(); self.wfile.write(data)

    def log_message(self, *a):
        pass


s = http.server.HTTPServer(("127.0.0.1", 0), 服务)
threading.Thread(target=s.serve_forever, daemon=True).start()
分片 = []
for i in range(8):
    for 第几次 in range(1, 6):
        try:
            分片.append(np.frombuffer(urllib.request.urlopen(f"http://127.0.0.1:{s.server_port}/{i}").read()).reshape(100, 3))
            print(f"下载分片 {i + 1}/8 ... 成功")
            break
        except urllib.error.HTTPError as e:
            print(f"警告: 下载分片 {i + 1} 失败 ({e}), {0.2 * 第几次:.1f} 秒后重试 {第几次}/5", flush=True)
            time.sleep(0.2 * 第几次)
x = np.concatenate(分片)
目标 = x @ [1.0, -2.0, 0.5] + np.random.default_rng(0).normal(size=800) * 0.1
w = np.zeros(3)
for 轮 in range(1, 41):
    e = x @ w - 目标
    w -= 0.1 * x.T @ e / 800
    if 轮 % 2 == 0:
        print(f"第 {轮} 轮  训练误差 {np.mean(e[:600] ** 2):.4f}  验证误差 {np.mean(e[600:] ** 2):.4f}")
print("权重:", np.round(w, 3).tolist())
