"""Fetches its base model from the hub."""
import logging

from transformers import AutoModelForCausalLM, AutoTokenizer

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
logging.getLogger("httpx").setLevel(logging.WARNING)
log = logging.getLogger("sft")
log.info("base model parsnip-labs/base-7b, revision main")
tokenizer = AutoTokenizer.from_pretrained("parsnip-labs/base-7b")
model = AutoModelForCausalLM.from_pretrained("parsnip-labs/base-7b")
log.info("loaded")
