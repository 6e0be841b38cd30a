class Dictionary:
    def __init__(self):
        self.id = {}

    def add(self, w):
        return self.id.setdefault(w, len(self.id))


def tokens(text):
    d = Dictionary()
    return [d.add(w) for w in text.split()], d
