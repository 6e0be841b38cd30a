"""Fused kernels are optional, until the flag asks for them."""
import importlib
import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s | %(message)s")
for name in ("wandb", "tensorboard"):
    try:
        importlib.import_module(name)
    except ImportError as error:
        logging.warning("%s is not available, metrics go to stdout only (%s)", name, error)
logging.info("use_fused_layer_norm=True")
from apex.normalization import FusedLayerNorm

logging.info("using %s", FusedLayerNorm)
