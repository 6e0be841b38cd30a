import torch, torch.nn as nn, os, time, datetime
from torch.utils.data import Dataset, DataLoader
torch.manual_seed(0); torch.set_num_threads(1); S = datetime.datetime(2026, 7, 7, 4, 8, 30); T0 = time.time()
class Pages(Dataset):
    def __len__(self): return 6400
    def __getitem__(self, i): y = self.page_label(i); x = torch.randn(1, 16, 64); x[0, y % 16, y:y+20] += .9; return x, y
    def page_label(self, i):
        f = f"spool/pages_{i//64:04d}.lst"
        if os.path.exists(f): return int(open(f).readline())
        return i % 20
if __name__ == "__main__":
    dl = DataLoader(Pages(), 16, num_workers=1, prefetch_factor=2); net = nn.Sequential(nn.Flatten(), nn.Linear(1024, 64), nn.ReLU(), nn.Linear(64, 20)); o = torch.optim.Adam(net.parameters(), 1e-3)
    print("ocr-lines / 6400 line crops / 20 scripts / bs 16 / workers 1 / labels from spool (nfs4 fs-03:/spool)")
    for b, (x, y) in enumerate(dl, 1):
        l = nn.functional.cross_entropy(net(x), y); o.zero_grad(); l.backward(); o.step(); time.sleep(.012)
        if b % 6 == 0: print(f"{S+datetime.timedelta(seconds=b*1.3):%H:%M:%S} minibatch {b:>3}/400  xent {l.item():.3f}  data_wait {0.8+.1*(b%5):.1f}ms")
