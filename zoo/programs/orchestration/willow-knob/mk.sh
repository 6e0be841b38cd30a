cat > Makefile <<'M'
all: report.txt
clean_text.npy:
	@echo "clean: 40 files"; sleep 1.2; python -c "import numpy as np; np.save('clean_text.npy', np.random.default_rng(0).integers(0,90,(800,30))); print('clean: wrote clean_text.npy')"
vocab.json: clean_text.npy
	@sleep 2.5; python -c "import json; json.dump({str(i): i for i in range(90)}, open('vocab.json','w')); print('vocab: wrote vocab.json, 90 entries')"
encoder.pt: clean_text.npy
	@python -u train_encoder.py
report.txt: encoder.pt vocab.json
	@echo ok > report.txt
M
cat > train_encoder.py <<'P'
import numpy as np, torch, json, time
x = torch.from_numpy(np.load("clean_text.npy")); e = torch.nn.EmbeddingBag(90, 16); h = torch.nn.Linear(16, 2); o = torch.optim.Adam([*e.parameters(), *h.parameters()], 1e-2); y = (x[:, 0] > 44).long()
print("encoder: 800 rows, reading vocab.json"); vocab = json.load(open("vocab.json"))
for s in range(1, 200): l = torch.nn.functional.cross_entropy(h(e(x)), y); o.zero_grad(); l.backward(); o.step()
torch.save(e.state_dict(), "encoder.pt")
P
sed -i 's/^import numpy as np, torch, json, time/import numpy as np, json, time\nprint("encoder: start", flush=True)\nprint("encoder: reading vocab.json", flush=True); vocab = json.load(open("vocab.json"))\nimport torch/' train_encoder.py
echo '$ make -j1 all   # Tuesday, laptop: worked'; echo "clean: 40 files"; echo "clean: wrote clean_text.npy"; echo "vocab: wrote vocab.json, 90 entries"; echo "encoder: start"; echo "encoder: reading vocab.json"; echo "encoder: step 199 xent 0.4410, wrote encoder.pt"
echo '$ ssh bigbox "cd poi && git clean -qdfx && make -j8 all"'
make -j8 all
