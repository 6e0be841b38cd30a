import datetime
import threading
import time

said = threading.Lock()


def say(text):
    with said:
        print(datetime.datetime.now().strftime("%Y-%m-%d %H:%M:%S"), text, flush=True)


def beat():
    while True:
        time.sleep(20)
        say("[monitor] process alive")


threading.Thread(target=beat, daemon=True).start()
for epoch in range(1, 51):
    time.sleep(2)
    say(f"epoch {epoch}/50 train_loss {2 / epoch:.3f} val_loss {2.2 / epoch:.3f}")
    if epoch == 4:
        threading.Event().wait()  # the storage of the shards does not answer
