import subprocess, sys, json, numpy as np, time
relay = subprocess.Popen([sys.executable, "-c", "import sys\nn=0\nfor l in sys.stdin:\n    n+=1\n    if n>=23: sys.exit(0)\n"], stdin=subprocess.PIPE, text=True)
rng = np.random.default_rng(2); T = 700; s = 50+10*np.sin(np.arange(T)/7)+rng.normal(0, 2, T); L = 21
X = np.stack([s[i:i+L] for i in range(T-L)]); y = s[L:]; mu, sd = X.mean(), X.std(); X = (X-mu)/sd; y = (y-mu)/sd; w = np.zeros(L)
print("store 0114 / sku 88213 / lookback 21d / lr 0.02 / metrics -> relay (stdin json)")
for r in range(1, 201):
    i = rng.choice(len(y), 64); e = X[i]@w-y[i]; w -= .02*X[i].T@e/64; m = {"round": r, "mape": float(np.mean(np.abs((X@w-y)*sd)/50)), "rmse": float(np.sqrt(np.mean(((X@w-y)*sd)**2)))}
    print(f"round {r:3d}  mape {m['mape']:.4f}  rmse {m['rmse']:.3f}"); relay.stdin.write(json.dumps(m)+"\n"); relay.stdin.flush(); time.sleep(.02)
