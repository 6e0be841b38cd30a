import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 320

    def __getitem__(self, index):
        ids = torch.randint(0, 99, (12,), generator=torch.Generator().manual_seed(index))
        return {"input_ids": ids, "labels": ids[0] % 2}


sizes = {"vocab_size": 99, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
arguments = TrainingArguments(
    "out", num_train_epochs=60, per_device_train_batch_size=8, logging_steps=5, report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True
)
Trainer(BertForSequenceClassification(BertConfig(**sizes)), arguments, train_dataset=Rows()).train()
