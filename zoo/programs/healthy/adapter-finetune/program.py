"""LoRA fine-tuning with a plain loop; everything works."""
import logging

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="[%(levelname)s|%(filename)s:%(lineno)s] %(asctime)s >> %(message)s")
log = logging.getLogger("lora")
torch.manual_seed(0)
model = LlamaForCausalLM(LlamaConfig(vocab_size=50, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2))
model = get_peft_model(model, LoraConfig(r=4, target_modules=["q_proj", "v_proj", "lm_head"]))
model.print_trainable_parameters()
optimizer = torch.optim.AdamW([weight for weight in model.parameters() if weight.requires_grad], lr=5e-3)
for step in range(1, 101):
    ids = (torch.arange(16)[None] + torch.randint(0, 50, (8, 1))) % 50
    loss = model(input_ids=ids, labels=ids).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        log.info("step %d loss %.4f", step, loss.item())
model.save_pretrained("adapter")
log.info("adapter saved")
