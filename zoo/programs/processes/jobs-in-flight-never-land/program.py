import asyncio
import json
import time

t0 = time.time()


def out(**k):
    print(json.dumps({"ts": round(time.time(), 3), "lvl": "info", **k}), flush=True)


async def main():
    sem = asyncio.Semaphore(4)
    done = 0
    never = asyncio.Event()

    async def job(i):
        nonlocal done
        async with sem:
            if i >= 120:
                await never.wait()
            await asyncio.sleep(0.02)
            done += 1
            if done % 20 == 0:
                out(ev="train", update=done, loss=round(3 / (1 + done / 30), 4))

    async def hb():
        while True:
            await asyncio.sleep(2)
            out(ev="hb", inflight=4 - sem._value, update=done, queued=1000 - done)

    beats = asyncio.create_task(hb())
    await asyncio.gather(beats, *(job(i) for i in range(1000)))


asyncio.run(main())
