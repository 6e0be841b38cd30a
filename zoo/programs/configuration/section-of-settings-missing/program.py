import json
def load_config():
    return {"model": {"dim": 64}}
def build(cfg):
    return cfg["optimizer"]["lr"]
print("building")
build(load_config())
