import pathlib

print(sum(1 for _ in pathlib.Path("/data/events/2026-11-29").iterdir()), "event files")
