import random
import sys
import time

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import GaussianNB

random.seed(31)
SYLLABLES = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in "lmnrst"]


def ticket(queue):
    words = ["".join(random.choices(SYLLABLES, k=random.randint(1, 3))) for _ in range(25)]
    return " ".join([*words, f"queue{queue}"])


def main():
    labels = [i % 5 for i in range(5000)]
    texts = [ticket(label) for label in labels]
    print(f"[{time.strftime('%X')}] {len(texts)} tickets, 5 queues")
    table = TfidfVectorizer(ngram_range=(1, 2)).fit_transform(texts)
    print(f"[{time.strftime('%X')}] table {table.shape[0]} x {table.shape[1]}, {table.nnz} values")
    try:
        model = GaussianNB().fit(table.toarray(), labels)
    except MemoryError as problem:
        sys.exit(f"[{time.strftime('%X')}] fit failed: {problem}")
    print("accuracy", model.score(table[:500].toarray(), labels[:500]))


if __name__ == "__main__":
    main()
