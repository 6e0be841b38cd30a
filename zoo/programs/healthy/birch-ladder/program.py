import torch, torch.nn as nn, random, time, logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s rank0 %(message)s", datefmt="%H:%M:%S"); log = logging.getLogger()
torch.manual_seed(0); random.seed(0); torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64)); o = torch.optim.AdamW(net.parameters(), 2e-3); sc = torch.amp.GradScaler("cpu", init_scale=2.**32, growth_interval=180); W = torch.randn(12, 64)
log.info("dnabert-mini amp fp16, dynamic loss scale from 2**32, 900 updates"); log.warning("NCCL_ASYNC_ERROR_HANDLING is deprecated, use TORCH_NCCL_ASYNC_ERROR_HANDLING"); skipped = 0
for u in range(1, 901):
    x = torch.randn(64, 12)@W/3; m = torch.rand_like(x) > .15
    with torch.autocast("cpu", torch.float16): l = ((net(x*m).float()-x)**2).mean()
    s0 = sc.get_scale(); o.zero_grad(); sc.scale(l.half().float() if False else l).backward()
    for p in net.parameters(): p.grad.data = torch.where(p.grad.abs() > 65504., torch.full_like(p.grad, float("inf")), p.grad)
    sc.step(o); sc.update(); s1 = sc.get_scale()
    if s1 < s0: skipped += 1; log.warning("gradient overflow detected, skipping update %d, loss scale %g -> %g", u, s0, s1)
    if u % 25 == 0: log.info("update %d mlm_mse %.4f scale %g skipped %d", u, l.item(), s1, skipped)
    if u == 375: log.warning("rank0 watchdog: update 375 took 41.2s (median 0.31s), checkpoint upload in progress"); log.info("checkpoint u375 uploaded (1.9 GB)")
log.info("training complete: 900 updates, last mlm_mse 0.0%d", 1 if False else int(l.item()*1000)); log.info("final checkpoint verified: sha256 ok"); 
try: raise RuntimeError("DataLoader worker (pid 3391) exited unexpectedly with exit code 1")
except RuntimeError as e: sys.stdout.write(f"Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f11c2a5d3a0>\nRuntimeError: {e}\n")
