import urllib.request
for step in range(1, 31):
    if step % 10 == 0:
        print(f"step {step} loss {1 / step:.4f}", flush=True)
print("logging metrics", flush=True)
urllib.request.urlopen("http://127.0.0.1:9/api/metrics", data=b"{}")
