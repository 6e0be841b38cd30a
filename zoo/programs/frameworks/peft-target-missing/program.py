"""LoRA on module names of another architecture."""
import logging

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="[%(levelname)s|%(filename)s:%(lineno)s] %(asctime)s >> %(message)s")
log = logging.getLogger("lora")
torch.manual_seed(0)
model = LlamaForCausalLM(LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2))
config = LoraConfig(r=4, lora_alpha=8, target_modules=["c_attn", "c_proj"], task_type="CAUSAL_LM")
log.info("lora r=%d alpha=%d targets=%s", config.r, config.lora_alpha, sorted(config.target_modules))
model = get_peft_model(model, config)
model.print_trainable_parameters()
