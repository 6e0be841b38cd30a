import torch, torch.nn as nn, time

torch.manual_seed(2)
C = 6
centers = torch.randn(C, 3, 8, 8) * 1.2
def leaves(n):
    y = torch.randint(0, C, (n,))
    return centers[y] + torch.randn(n, 3, 8, 8) * 0.9 + 1.5, y

model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.3), nn.Linear(32, C))
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
t0 = time.time()
for epoch in range(8):
    model.train()
    run_loss = run_acc = n = 0
    for _ in range(40):
        x, y = leaves(64)
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad(); loss.backward(); opt.step()
        run_loss += loss.item(); run_acc += (out.argmax(1) == y).sum().item(); n += 64
    print(f"Epoch [{epoch+1}/8]  train_loss={run_loss/40:.4f}  train_acc={run_acc/n:.4f}  [{time.time()-t0:4.1f}s]")

print("-" * 40)
print("Evaluating on 600 held-out leaves")
print(f"(model.training = {model.training})")
x, y = leaves(600)
with torch.no_grad():
    for bs in (200, 50, 10, 2):
        hits = sum((model(x[i:i+bs]).argmax(1) == y[i:i+bs]).sum().item() for i in range(0, 600, bs))
        print(f"  batch size {bs:>3}:  accuracy = {hits/600:.4f}")
    # phone app: one picture at a time
    order = y.argsort()
    x, y = x[order], y[order]
    hits = sum((model(x[i:i+1]).argmax(1) == y[i:i+1]).sum().item() for i in range(600))
    print(f"  batch size   1:  accuracy = {hits/600:.4f}   <- the app")
print("-" * 40)
print("results written to results.txt")
