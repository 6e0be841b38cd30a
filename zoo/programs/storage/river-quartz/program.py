import torch, torch.nn as nn, argparse, logging, glob, os, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="[%(levelname)s] %(asctime)s %(module)s: %(message)s"); log = logging.getLogger()
a = argparse.ArgumentParser(); a.add_argument("--max-steps", type=int); a = a.parse_args(); torch.manual_seed(1); torch.set_num_threads(1)
m = nn.GRU(40, 96, 2, batch_first=True); h = nn.Linear(96, 29); ps = list(m.parameters())+list(h.parameters()); o = torch.optim.Adam(ps, 2e-3); ctc = nn.CTCLoss(zero_infinity=True); s0 = 0
os.makedirs("exp/ctc", exist_ok=True); E = torch.randn(29, 40)
c = sorted(glob.glob("exp/ctc/step_*.pt"), key=lambda f: int(f.split("_")[-1][:-3]))
if c:
    log.info("auto-resume: %d checkpoint(s), newest %s (%d bytes)", len(c), c[-1], os.path.getsize(c[-1])); s = torch.load(c[-1]); m.load_state_dict(s["m"]); h.load_state_dict(s["h"]); s0 = s["step"]
else: log.info("auto-resume: nothing in exp/ctc, starting from encoder init")
for s in range(s0+1, a.max_steps+1):
    y = torch.randint(1, 29, (8, 6)); x = E[y].repeat_interleave(4, 1)+.3*torch.randn(8, 24, 40); lp = h(m(x)[0]).log_softmax(-1).transpose(0, 1)
    l = ctc(lp, y, torch.full((8,), 24), torch.full((8,), 6)); o.zero_grad(); l.backward(); o.step()
    if s % 20 == 0: log.info("step %d | ctc %.4f | frames/s %d", s, l.item(), 8*24*90)
    if s % 60 == 0: torch.save({"m": m.state_dict(), "h": h.state_dict(), "opt": o.state_dict(), "step": s}, f"exp/ctc/step_{s}.pt"); log.info("checkpoint exp/ctc/step_%d.pt", s)
    if s == 240 and a.max_steps == 240: print("slurmstepd: error: *** JOB 70911 ON c088 CANCELLED AT 2026-09-14T01:12:40 DUE TO PREEMPTION ***", flush=True)
