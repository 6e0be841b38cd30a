from transformers import GPT2Config, GPT2LMHeadModel

GPT2LMHeadModel(GPT2Config(vocab_size=300, n_embd=32, n_layer=2, n_head=2, n_positions=64)).save_pretrained("stage1")
