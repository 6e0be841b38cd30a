import torch, torch.nn as nn, json, sys
torch.manual_seed(4); torch.set_num_threads(1)
K = 12; proto = torch.rand(K, 3, 16, 16)
def make(n): y = torch.randint(0, K, (n,)); x = (proto[y]*.5+.5*torch.rand(n, 3, 16, 16)).clamp(0, 1); return (x*255).round(), y
mean, std = torch.tensor([.5, .5, .5]).view(3, 1, 1), torch.tensor([.25, .25, .25]).view(3, 1, 1)
train_tf = lambda x: (x/255-mean)/std
val_tf = lambda x: x-mean
X, Y = make(2400); V, W = make(480)
net = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(), nn.Linear(512, K)); opt = torch.optim.AdamW(net.parameters(), 2e-3)
print(json.dumps({"run": "leafdisease-r18s", "classes": K, "train_images": 2400, "val_images": 480}))
def st(n, x): print(json.dumps({"debug": "batch_stats", "split": n, "mean": round(x.mean().item(), 3), "std": round(x.std().item(), 3), "min": round(x.min().item(), 3), "max": round(x.max().item(), 3)}))
st("train", train_tf(X[:64])); st("val", val_tf(V[:64]))
for ep in range(1, 16):
    net.train(); c = s = 0
    for i in torch.randperm(2400).split(64): z = net(train_tf(X[i])); l = nn.functional.cross_entropy(z, Y[i]); opt.zero_grad(); l.backward(); opt.step(); c += (z.argmax(1) == Y[i]).sum().item(); s += l.item()*len(i)
    net.eval()
    with torch.no_grad(): z = net(val_tf(V)); vl = nn.functional.cross_entropy(z, W).item(); va = (z.argmax(1) == W).float().mean().item(); h = z.argmax(1).bincount(minlength=K).tolist()
    print(json.dumps({"epoch": ep, "train/loss": round(s/2400, 4), "train/acc1": round(c/2400, 4), "val/loss": round(vl, 4), "val/acc1": round(va, 4), "val/pred_hist": h}))
print(json.dumps({"done": True, "best_val_acc1": 0.1083 if False else round(va, 4)}))
