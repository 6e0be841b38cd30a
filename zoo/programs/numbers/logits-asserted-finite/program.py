import torch
torch.manual_seed(0)
model = torch.nn.Linear(8, 4)
opt = torch.optim.SGD(model.parameters(), lr=1e18)
for step in range(1, 60):
    logits = model(torch.randn(16, 8))
    assert torch.isfinite(logits).all(), "nan or inf in logits"
    loss = logits.square().mean()
    opt.zero_grad(); loss.backward(); opt.step()
    print(f"step {step} loss {loss.item():.3e}", flush=True)
