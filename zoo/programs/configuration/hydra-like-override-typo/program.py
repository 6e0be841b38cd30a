from omegaconf import OmegaConf

cfg = OmegaConf.create({"data": {"root": "${oc.env:CORPUS_DIR}"}, "optim": {"lr": 3e-4}})
print("learning rate", cfg.optim.lr)
print("corpus in", cfg.data.root)
