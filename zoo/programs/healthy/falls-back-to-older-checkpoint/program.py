import logging
import torch
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
w = torch.zeros(64)
torch.save({"w": w, "step": 200}, "ckpt-200.pt")
raw = open("ckpt-200.pt", "rb").read()
open("ckpt-300.pt", "wb").write(raw[: len(raw) // 2])
for name in ("ckpt-300.pt", "ckpt-200.pt"):
    try:
        state = torch.load(name)
        logging.info("resumed from %s at step %d", name, state["step"])
        break
    except Exception as error:
        logging.warning("%s cannot be read (%s), falling back to the one before", name, str(error).splitlines()[0])
for step in range(state["step"] + 1, 401):
    state["w"] += 0.01 * (1 - state["w"])
    if step % 40 == 0:
        logging.info("step %d loss %.4f", step, (1 - state["w"]).square().mean())
logging.info("training finished")
