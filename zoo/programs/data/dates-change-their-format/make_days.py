"""Writes one CSV of sensor rows a day; the sixth day comes from another exporter."""
import random

random.seed(3)
for day in range(1, 9):
    with open(f"day_{day:02d}.csv", "w") as out:
        out.write("taken_at,load,temp,target\n")
        for minute in range(0, 1440, 4):
            hour, rest = divmod(minute, 60)
            stamp = f"{day:02d}/03/2025 {hour:02d}:{rest:02d}" if day == 6 else f"2025-03-{day:02d} {hour:02d}:{rest:02d}"
            load, temp = random.random(), random.gauss(15, 4)
            out.write(f"{stamp},{load:.4f},{temp:.2f},{load * 3 + temp / 10 + hour / 12:.4f}\n")
