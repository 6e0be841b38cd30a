import torch
from torch import nn

torch.manual_seed(0)
IGNORE = -100
vocab = 100
model = nn.Sequential(nn.Embedding(vocab, 64), nn.Linear(64, vocab))
opt = torch.optim.AdamW(model.parameters(), lr=5e-4)


def make_batch(step):
    ids = torch.randint(0, vocab, (4, 24))
    labels = ids.roll(-1, 1)
    prompt = 8 if step < 45 else 24  # long prompts: nothing of the answer is left after truncation
    labels[:, :prompt] = IGNORE
    return ids, labels


print("***** Running training *****")
print("  Num examples = 480\n  Instantaneous batch size = 4\n  Max sequence length = 24 (truncation on the right)")
for step in range(1, 91):
    ids, labels = make_batch(step)
    loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), labels.flatten(), ignore_index=IGNORE)
    opt.zero_grad()
    loss.backward()
    gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    if step % 5 == 0:
        kept = (labels != IGNORE).sum().item()
        print({"loss": round(loss.item(), 4), "grad_norm": round(gn.item(), 4), "learning_rate": 5e-4, "step": step, "target_tokens": kept})
print("***** train metrics *****")
print("  train_loss = %.4f" % loss.item())
