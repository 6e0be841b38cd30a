import numpy as np, joblib, getpass, os, time, json
r = np.random.default_rng(0); K, D = 6, 8; th = r.normal(size=(K, D)); A = np.stack([np.eye(D)]*K); b = np.zeros((K, D)); reg = rew = 0
print(json.dumps({"evt": "init", "uid": os.getuid(), "algo": "linucb", "arms": K, "alpha": .4}))
for t in range(1, 6001):
    x = r.normal(size=D); u = [x@np.linalg.solve(A[k], b[k])+.4*np.sqrt(x@np.linalg.solve(A[k], x)) for k in range(K)]; k = int(np.argmax(u)); y = th[k]@x+r.normal(); reg += (th@x).max()-th[k]@x; rew += y; A[k] += np.outer(x, x); b[k] += y*x
    if t % 300 == 0: print(json.dumps({"evt": "round", "t": t, "avg_reward": round(rew/t, 4), "avg_regret": round(reg/t, 4)}))
print(json.dumps({"evt": "export", "to": "shared/models/policy_v12.joblib"})); joblib.dump((A, b), "shared/models/policy_v12.joblib"); print(json.dumps({"evt": "published"}))
