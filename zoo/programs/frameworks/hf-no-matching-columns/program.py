"""Hands the trainer columns that the model does not take."""
from datasets import Dataset, disable_progress_bars
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

disable_progress_bars()
data = Dataset.from_dict({"tokens": [[1, 2, 3, 4]] * 64, "stars": [0, 1] * 32})
print(data, flush=True)
model = BertForSequenceClassification(BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64))
arguments = TrainingArguments("out", max_steps=10, disable_tqdm=True, report_to=[], use_cpu=True)
Trainer(model=model, args=arguments, train_dataset=data).train()
