import logging

import torch
from transformers import GPT2Config, GPT2LMHeadModel

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s")
logger = logging.getLogger("stage2")
config = GPT2Config(vocab_size=352, n_embd=32, n_layer=2, n_head=2, n_positions=64)
logger.info("continuing from stage1 with %d tokens (52 new control tokens)", config.vocab_size)
model = GPT2LMHeadModel.from_pretrained("stage1", config=config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(1, 101):
    ids = torch.randint(0, config.vocab_size, (4, 32))
    loss = model(input_ids=ids, labels=ids).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        logger.info("step %d loss %.4f", step, loss.item())
