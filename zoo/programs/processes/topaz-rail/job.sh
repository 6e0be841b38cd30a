#!/bin/bash
cat > k.c <<'C'
#include <immintrin.h>
float fastdot(const float*a,const float*b,int n,int it){ float s=0; for(int i=0;i<n;i++) s+=a[i]*b[i]; if(it==140) __builtin_trap(); return s; }
C
gcc -O1 -shared -fPIC k.c -o libfastdot.so
cat > dock.py <<'P'
import ctypes, numpy as np, time
k = ctypes.CDLL("./libfastdot.so"); k.fastdot.restype = ctypes.c_float; f = ctypes.POINTER(ctypes.c_float)
r = np.random.default_rng(3); X = r.normal(size=(1500, 64)).astype("f4"); wt = r.normal(size=64).astype("f4"); y = X@wt+.2*r.normal(size=1500).astype("f4"); w = np.zeros(64, "f4")
print("moldock affinity head; libfastdot built with -march=sapphirerapids on build-07; running on host icx-221", flush=True)
for it in range(1, 301):
    i = r.integers(0, 1500, 32); p = np.array([k.fastdot(X[j].ctypes.data_as(f), w.ctypes.data_as(f), 64, it if it % 20 == 0 else 0) for j in i]); e = p-y[i]; w -= (.02*X[i].T@e/32).astype("f4")
    if it % 10 == 0: print(f"iter {it:4d} mse {float((e**2).mean()):8.4f} pearson {np.corrcoef(p, y[i])[0,1]:.4f}" + ("  (amx path)" if it % 20 == 0 else ""), flush=True)
P
python dock.py
echo "job.sh: dock.py status $?"
