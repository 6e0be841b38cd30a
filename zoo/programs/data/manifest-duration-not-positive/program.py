import sys

man = [{"audio": f"u{i}.flac", "duration": 2.0 + i} for i in range(5)]
man[3]["duration"] = -1.0
bad = [m["audio"] for m in man if m["duration"] <= 0]
if bad:
    sys.exit(f"manifest train.json: {len(bad)} utterances have a non-positive duration, first is {bad[0]}")
