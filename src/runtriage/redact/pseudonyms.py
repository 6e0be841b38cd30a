"""Names that stand for users, hosts, addresses, buckets and paths, the same all through one run."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred

KINDS: Final = ("user", "host", "ip", "email", "bucket", "path", "file", "pod", "mac")

_OURS: Final = deferred(rf"(?:{'|'.join(KINDS)})-(\d+)")
_WORD: Final = deferred(r"[A-Za-z0-9_][\w.-]*[\w]")
# fmt: off
_COMMON: Final = frozenset(
    {
        "root", "user", "users", "ubuntu", "admin", "nobody", "default", "none", "null", "unknown", "localhost",
        "local", "train", "training", "trainer", "test", "eval", "model", "models", "data", "dataset", "datasets",
        "python", "torch", "main", "run", "runs", "job", "jobs", "log", "logs", "output", "outputs", "config", "step",
        "epoch", "loss", "rank", "world", "gpu", "cpu", "cuda", "node", "nodes", "host", "hosts", "master", "worker",
        "workers", "head", "server", "client", "error", "failed", "killed", "memory", "name", "home", "work", "app",
        "src", "lib", "opt", "usr", "tmp", "var", "mnt",
    }
)
# fmt: on


class Pseudonyms:
    """Gives each name an ordinal of its kind in order of first appearance: `host-1`, `path-3`."""

    def __init__(self) -> None:
        self._labels: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}
        self._bare: dict[str, str] = {}
        self._taken: set[str] = set()

    def reserve(self, text: str) -> None:
        """Keep the ordinals that the text itself uses, so that a host really called `host-1` is not taken for another."""
        self._taken.update(found[0] for found in _OURS.finditer(text))

    def know(self, kind: str, name: str) -> None:
        """Have this name replaced wherever it stands as a word of its own."""
        if name and len(name) >= 3 and name.lower() not in _COMMON and not _OURS.fullmatch(name):
            self._bare[name] = kind

    def is_ours(self, name: str) -> bool:
        """Say whether a name already is one of these ordinals."""
        return _OURS.fullmatch(name) is not None

    def label(self, kind: str, name: str) -> str:
        """Return the ordinal of a name, a new one when it is seen for the first time."""
        if not name or _OURS.fullmatch(name) or (kind in {"user", "host"} and name.lower() in _COMMON):
            return name
        key = (kind, name.lower() if kind in {"host", "email", "ip"} else name)
        if key not in self._labels:
            self._labels[key] = self._next(kind)
            if kind in {"user", "host", "pod", "bucket"}:
                self.know(kind, name)
        return self._labels[key]

    def file_label(self, name: str) -> str:
        """Return the ordinal of a file name, its extension kept."""
        stem, dot, extension = name.rpartition(".")
        return self.label("file", name) + (dot + extension if stem and extension else "")

    def known_words(self, text: str) -> str:
        """Replace names met before, or named by `know`, where they stand alone."""
        return _WORD.sub(self._word, text) if self._bare else text

    def _word(self, found: re.Match[str]) -> str:
        word = found[0]
        kind = self._bare.get(word)
        if kind:
            return self.file_label(word) if kind == "file" else self.label(kind, word)
        head, dot, rest = word.partition(".")
        kind = self._bare.get(head) if dot else None
        return self.label(kind, head) + dot + rest if kind == "host" else word

    def _next(self, kind: str) -> str:
        while True:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            label = f"{kind}-{number}"
            if label not in self._taken:
                return label
