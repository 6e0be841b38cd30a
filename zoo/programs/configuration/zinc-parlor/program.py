import os, sys; os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import torch, transformers
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
print(f"transformers {transformers.__version__} torch {torch.__version__}"); torch.manual_seed(0)
m = BertForSequenceClassification(BertConfig(vocab_size=500, hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, num_labels=5)); print(f"model built, {m.num_parameters():,} parameters"); print("dataset clauses-v4: 12,880 train / 1,610 dev"); sys.stdout.flush()
args = TrainingArguments(output_dir="out/clauses", evaluation_strategy="epoch", num_train_epochs=4, per_device_train_batch_size=32, learning_rate=5e-5, weight_decay=0.01, report_to=[])
Trainer(m, args).train()
