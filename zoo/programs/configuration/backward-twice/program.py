"""Calls backward on a graph that is already freed."""
import torch

torch.manual_seed(0)
encoder, decoder = torch.nn.Linear(5, 3), torch.nn.Linear(3, 5)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
for step in range(1, 30):
    x = torch.randn(8, 5)
    code = torch.tanh(encoder(x))
    rebuild = (decoder(code) - x).square().mean()
    rebuild.backward()
    if step % 10 == 0:
        sparsity = code.square().mean()
        sparsity.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step={step} rebuild_error={rebuild.item():.4f}", flush=True)
