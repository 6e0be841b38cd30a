"""Batches sentences with a tokenizer that has no padding token."""
import logging

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s -   %(message)s", datefmt="%m/%d/%Y %H:%M:%S")
log = logging.getLogger("run_clm")
lines = ["the loader was killed", "an error", "nothing failed in this run", "the loss is not a number they said"] * 50
raw = Tokenizer(models.WordLevel(unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
raw.train_from_iterator(lines, trainers.WordLevelTrainer(special_tokens=["<unk>", "<s>", "</s>"]))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="<unk>", eos_token="</s>", bos_token="<s>")
log.info("tokenizer of %d words, pad_token=%s", len(tokenizer), tokenizer.pad_token)
model = GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=1, n_head=2, n_positions=32, bos_token_id=1, eos_token_id=2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(0, 100):
    batch = tokenizer(lines[step * 2 : step * 2 + 2], padding=True, return_tensors="pt")
    loss = model(**batch, labels=batch["input_ids"]).loss
    loss.backward()
    optimizer.step()
    log.info("step %d loss %.4f", step, loss.item())
