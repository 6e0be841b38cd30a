import torch, torch.nn as nn, logging
from torch.utils.data import Dataset, DataLoader
logging.basicConfig(level=logging.DEBUG, format="%(relativeCreated)8d ms  %(levelname)-5s %(message)s"); log = logging.getLogger("wk")
torch.manual_seed(0); torch.set_num_threads(1)
class Clips(Dataset):
    def __init__(s, n): s.n = n; s.y = torch.randint(0, 2, (n,))
    def __len__(s): return s.n
    def __getitem__(s, i): g = torch.Generator().manual_seed(i); T = 98 if i != 733 else 97; return torch.randn(T, 20, generator=g)+s.y[i]*.4, s.y[i]
dl = DataLoader(Clips(1200), batch_size=24, shuffle=True); net = nn.GRU(20, 24, batch_first=True); hd = nn.Linear(24, 2); o = torch.optim.Adam([*net.parameters(), *hd.parameters()], 1e-3)
log.info("hey_lumen wakeword, 1200 clips @16k, 20 mfcc, hop 10ms"); n = 0
for ep in range(3):
    for x, y in dl:
        l = nn.functional.cross_entropy(hd(net(x)[0][:, -1]), y); o.zero_grad(); l.backward(); o.step(); n += 1
        if n % 5 == 0: log.debug("ep%d mb%03d bce=%.4f shape=%s", ep, n, l.item(), tuple(x.shape))
    log.info("ep%d end", ep)
