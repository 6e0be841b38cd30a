import os, time
open("dataset.lock", "w").close()
print("waiting for dataset.lock", flush=True)
end = time.monotonic() + 3
while os.path.exists("dataset.lock"):
    if time.monotonic() > end:
        raise RuntimeError("could not acquire dataset.lock within 3 s: another process seems to hold it")
    time.sleep(0.1)
