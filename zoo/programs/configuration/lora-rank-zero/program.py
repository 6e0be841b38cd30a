from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

base = LlamaForCausalLM(LlamaConfig(vocab_size=80, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2))
model = get_peft_model(base, LoraConfig(r=0, lora_alpha=16, target_modules=["q_proj", "v_proj"]))
model.print_trainable_parameters()
