train = {f"spk{i}" for i in range(40)}
held = {f"spk{i}" for i in range(36, 50)}
common = train & held
print(len(train), "training speakers", len(held), "held-out speakers")
if common:
    raise RuntimeError(
        f"{len(common)} speakers appear in both the training and the held-out list, e.g. {sorted(common)[0]}"
    )
