seen, kept = set(), []
for i in range(4000):
    key = "same"  # the key function reads a column that the export no longer fills
    if key not in seen:
        seen.add(key)
        kept.append(i)
open("dedup.txt", "w").write("\n".join(map(str, kept)))
print(f"dedup     4000 rows in, {len(kept)} rows out")
