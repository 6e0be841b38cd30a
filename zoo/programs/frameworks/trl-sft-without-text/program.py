"""Supervised fine-tuning on rows that hold neither text nor messages."""
from datasets import Dataset, disable_progress_bars
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

disable_progress_bars()
rows = [f"question {index} answer {index * 2}" for index in range(64)]
raw = Tokenizer(models.WordLevel(unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
raw.train_from_iterator(rows, trainers.WordLevelTrainer(special_tokens=["<unk>", "<pad>", "</s>"]))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="<unk>", pad_token="<pad>", eos_token="</s>")
model = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2))
data = Dataset.from_dict({"instruction": rows, "response": rows})
print(data, flush=True)
config = SFTConfig("out", max_steps=10, report_to=[], use_cpu=True, bf16=False, disable_tqdm=True, max_length=32)
SFTTrainer(model=model, args=config, train_dataset=data, processing_class=tokenizer).train()
