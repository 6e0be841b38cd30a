import os; os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import torch, random, warnings; warnings.simplefilter("ignore")
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments
torch.manual_seed(0); random.seed(0); torch.set_num_threads(1)
V = 64; nxt = {i: [random.randrange(V) for _ in range(2)] for i in range(V)}
def seq():
    s = [random.randrange(V)]
    while len(s) < 32: s.append(random.choice(nxt[s[-1]]))
    return {"input_ids": torch.tensor(s), "labels": torch.tensor(s)}
tr, ev = [seq() for _ in range(4800)], [seq() for _ in range(128)]
m = GPT2LMHeadModel(GPT2Config(vocab_size=V, n_positions=32, n_embd=48, n_layer=2, n_head=4))
a = TrainingArguments("out", per_device_train_batch_size=16, max_steps=300, learning_rate=.5, warmup_steps=200, lr_scheduler_type="constant_with_warmup", max_grad_norm=0., logging_steps=5, eval_strategy="steps", eval_steps=50, save_steps=300, report_to=[], use_cpu=True, disable_tqdm=True, seed=0)
print("model gpt2-codelet 64 tok / 32 ctx"); Trainer(m, a, train_dataset=tr, eval_dataset=ev).train()
