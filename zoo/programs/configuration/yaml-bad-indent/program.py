"""Loads its configuration; the file is not valid YAML."""
import sys

import yaml

print(f"runtime: python {sys.version_info.major}.{sys.version_info.minor}, config {sys.argv[1]}", flush=True)
config = yaml.safe_load(open(sys.argv[1]))
print("epochs", config["train"]["epochs"])
