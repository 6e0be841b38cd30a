"""Whitens features with a factorisation that half precision does not have here."""
import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s", datefmt="%m/%d/%Y %H:%M:%S")
log = logging.getLogger("whiten")
torch.manual_seed(0)
dtype = torch.float16
model = torch.nn.Linear(16, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
log.info("precision %s, overflow policy skip", dtype)
for step in range(1, 60):
    z = model(torch.randn(64, 16))
    covariance = z.T @ z / 64 + torch.eye(16)
    if step > 20:
        covariance = covariance.to(dtype)
    factor = torch.linalg.cholesky(covariance)
    loss = (factor - torch.eye(16)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        log.info("step %d loss %.4f", step, loss.item())
