tag2idx = {"O": 0, "B-PER": 1, "I-PER": 2}
sents = [["O", "B-PER"], ["O", "B-MISC"]]
enc = [[tag2idx[t] for t in s] for s in sents]
