"""Loads a model in 8 bit without the package that does it."""
import logging

from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO)
LlamaForCausalLM(LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2)).save_pretrained("base")
logging.info("base model written")
model = AutoModelForCausalLM.from_pretrained("base", quantization_config=BitsAndBytesConfig(load_in_8bit=True))
logging.info("loaded %s", type(model))
