"""Imports an optimizer that newer transformers no longer has."""
import logging

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
logging.info("loading libraries")
import torch
from transformers import AdamW, AutoConfig

logging.info("optimizer %s, torch %s, config %s", AdamW, torch.__version__, AutoConfig)
