import sys
import time


def p(msg):
    print(time.strftime("%b %d %H:%M:%S"), f"scheduler[{4711}]:", msg, flush=True)


date = sys.argv[-1]
p(f"tick for logical date {date}; jobs due: retrain_pricing")
p("retrain_pricing: sensor 'orders_complete' wants partition orders/dt=" + date)
for poke in range(1, 7):
    time.sleep(0.5)
    p(f"retrain_pricing: poke {poke}/6: newest partition is orders/dt=2026-11-26")
p("retrain_pricing: sensor 'orders_complete' timed out (soft), downstream set to skipped: build_features, train_pricing, validate_pricing")
p("retrain_pricing: 0 of 4 tasks ran to success, the model in use stays that of 2026-11-26")
p("missed 3 logical dates in a row for retrain_pricing, limit is 3")
sys.exit(3)
