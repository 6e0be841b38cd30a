"""Three-class sentiment model on data with a fourth class."""
import logging

import torch
from datasets import Dataset, disable_progress_bars
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainerCallback, TrainingArguments

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s", datefmt="%m/%d/%Y %H:%M:%S")
log = logging.getLogger(__name__)
disable_progress_bars()


class StepLog(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kwargs):
        log.info("step %d %s", state.global_step, logs)


labels = [index % 3 for index in range(800)]
labels[531] = 3
data = Dataset.from_dict({"input_ids": [[1 + (index + k) % 50 for k in range(12)] for index in range(800)], "labels": labels})
torch.manual_seed(0)
model = BertForSequenceClassification(BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, num_labels=3))
arguments = TrainingArguments("out", num_train_epochs=1, per_device_train_batch_size=8, logging_steps=2, train_sampling_strategy="sequential", disable_tqdm=True, report_to=[], use_cpu=True, save_strategy="no")
Trainer(model=model, args=arguments, train_dataset=data, callbacks=[StepLog()]).train()
