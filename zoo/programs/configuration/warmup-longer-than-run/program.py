import logging

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("pretrain")


class TrainSpec:
    def __init__(self, **kw):
        self.__dict__.update(kw)

    def check(self):
        if self.warmup_steps > self.max_steps:
            raise ValueError(f"warmup_steps={self.warmup_steps} exceeds max_steps={self.max_steps}")


spec = TrainSpec(warmup_steps=5000, max_steps=2000, lr=3e-4)
log.info("spec: %s", spec.__dict__)
spec.check()
