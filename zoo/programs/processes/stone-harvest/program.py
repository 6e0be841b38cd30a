import threading, time, queue, faulthandler, datetime, sys, torch, torch.nn as nn
faulthandler.enable()
T0 = time.time(); B0 = datetime.datetime(2026, 5, 19, 22, 4, 11)
def say(m): print(f"{B0+datetime.timedelta(seconds=(time.time()-T0)*150):%Y-%m-%d %H:%M:%S} [{threading.current_thread().name}] {m}", flush=True)
cache_lock, stats_lock = threading.Lock(), threading.Lock(); tiles = queue.Queue(8)
counts = {"hit": 0, "miss": 0}
def prefetch_tiles():
    k = 0
    while True:
        with cache_lock:
            k += 1
            if k % 97 == 0: time.sleep(.05)
            with stats_lock: counts["miss"] += 1
        tiles.put(torch.randn(4, 3, 24, 24))
def report_cache():
    while True:
        time.sleep(.31)
        with stats_lock:
            time.sleep(.002)
            with cache_lock: h = counts["miss"]
def heartbeat():
    while True: time.sleep(2); say(f"heartbeat step={step} tile_queue={tiles.qsize()}/8 rss=1.9G")
step = 0; torch.manual_seed(0); torch.set_num_threads(1); net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1)); opt = torch.optim.Adam(net.parameters(), 1e-3)
for f in (prefetch_tiles, report_cache, heartbeat): threading.Thread(target=f, name=f.__name__, daemon=True).start()
say("segship: sentinel-1 vessel masks, 812 scenes, tile 512 overlap 64")
def next_tiles(): return tiles.get()
while True:
    x = next_tiles(); l = ((net(x)-x.mean(1, keepdim=True))**2).mean(); opt.zero_grad(); l.backward(); opt.step(); step += 1
    if step % 10 == 0: say(f"step {step} dice_loss {l.item():.4f} lr 1.0e-03")
