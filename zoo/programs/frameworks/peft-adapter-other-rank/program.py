"""Loads adapter weights of rank 8 into an adapter of rank 4."""
import json

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM


def base():
    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2))


get_peft_model(base(), LoraConfig(r=8, target_modules=["q_proj"])).save_pretrained("adapter")
settings = json.load(open("adapter/adapter_config.json"))
settings["r"] = 4
json.dump(settings, open("adapter/adapter_config.json", "w"))
print("loading adapter with rank", settings["r"], flush=True)
print(PeftModel.from_pretrained(base(), "adapter"))
