import csv
open("train.csv", "w", encoding="utf-8-sig").write("label,text\n1,a\n0,b\n")
rows = list(csv.DictReader(open("train.csv", encoding="utf-8")))
print(f"{len(rows)} rows")
labels = [int(row["label"]) for row in rows]
