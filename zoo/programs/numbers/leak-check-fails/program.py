train = set(range(0, 900))
val = set(range(768, 1000))
print(f"{len(train)} training ids, {len(val)} validation ids")
both = train & val
assert not both, f"{len(both)} validation ids are also in the training set"
