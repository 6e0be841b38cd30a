import yaml

cfg = yaml.safe_load(open("run.yml"))
print(cfg)
