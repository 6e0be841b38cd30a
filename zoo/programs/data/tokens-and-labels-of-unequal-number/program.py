import os

os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
import torch
from datasets import Dataset
from transformers import GPT2Config, GPT2LMHeadModel

documents = Dataset.from_dict({"text": [("the quick fox " * (5 + i % 40)).strip() for i in range(400)], "source": [f"s{i % 3}" for i in range(400)]})
print(documents)
BLOCK = 64


def cut(batch):
    rows = []
    for text in batch["text"]:
        ids = list(text.encode())
        rows += [ids[at : at + BLOCK] for at in range(0, len(ids), BLOCK)]
    return {"input_ids": rows}


def main():
    blocks = documents.map(cut, batched=True, batch_size=100, num_proc=2, remove_columns=["text"])
    print(f"{len(blocks)} blocks")
    model = GPT2LMHeadModel(GPT2Config(vocab_size=256, n_embd=32, n_layer=1, n_head=2, n_positions=BLOCK))
    optimizer = torch.optim.AdamW(model.parameters())
    for step, row in enumerate(blocks):
        ids = torch.tensor([row["input_ids"]])
        loss = model(input_ids=ids, labels=ids).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
